// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {VaultPayments} from "../vault/VaultPayments.sol";
import {VaultHandler} from "./VaultHandler.sol";

/// @title What holds after each call
/// @notice The runner calls the handler's functions in random sequences, and each invariant after
/// each call.
contract VaultInvariants {
    bool public constant IS_TEST = true;
    VaultHandler private _handler;

    function setUp() public {
        _handler = new VaultHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_money() external view {
        uint256 held = _handler.token().balanceOf(address(_handler.vault()));
        uint256 taken = _handler.vault().exitTaken();
        require(held == _handler.depositSum() - _handler.paidSum() - taken, "held = in - out");
        require(_handler.vault().paidTotal() == _handler.paidSum(), "paid in all");
        uint256 sum;
        for (uint256 i = 0; i < _handler.actorCount(); ++i) {
            address account = _handler.actors(i);
            (uint96 paid, , ) = _handler.vault().walletOf(account);
            require(paid == _handler.paidOf(account), "paid to each");
            sum += paid;
        }
        require(sum == _handler.paidSum(), "paid to all");
        require(_handler.token().accepted() == 0, "no call back was accepted");
    }

    function invariant_deposits() external view {
        require(_handler.vault().depositCount() == _handler.depositCount(), "dense");
        require(_handler.vault().depositsHash() == _handler.depositHash(), "hash = fold");
        require(_handler.vault().depositTotal() == _handler.depositSum(), "their sum");
    }

    /// @notice No id is anywhere else than where the calls have brought it.
    function invariant_payments() external view {
        for (uint256 i = 0; i < _handler.idCount(); ++i) {
            bytes16 id = _handler.ids(i);
            (, , VaultPayments.State known, ) = _handler.knownOf(id);
            (, , VaultPayments.State state) = _handler.vault().withdrawalOf(id);
            require(state == known, "a state that no call has made");
        }
    }

    function invariant_bucket() external view {
        uint256 most = 2 * uint256(_handler.vault().bucketCapacity());
        require(_handler.instantOfDay() <= most, "twice the bucket in a day");
    }

    function invariant_exit() external view {
        require(_handler.vault().exitTaken() <= _handler.vault().exitHeld(), "claims <= held");
        if (!_handler.isEnded()) return;
        uint256 held = _handler.token().balanceOf(address(_handler.vault()));
        require(held == _handler.vault().exitHeld() - _handler.vault().exitTaken(), "the rest");
    }
}
