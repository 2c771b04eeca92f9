// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {TestUsdt} from "./TestUsdt.sol";

/// @title A token for tests that calls back during each transfer
/// @notice It makes the call that a test has set, or uses up gas, and remembers whether the
/// call was accepted. It reports nothing to the vault.
contract HostileToken is TestUsdt {
    address public target;
    bytes public data;
    /// @notice The gas that each transfer uses up in vain.
    uint256 public gasBurnt;
    uint256 public attempts;
    uint256 public accepted;
    bool private _calling;

    constructor() TestUsdt(6) {}

    function setCall(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function setGasBurnt(uint256 amount) external {
        gasBurnt = amount;
    }

    function _afterMove(address, address) internal override {
        uint256 before = gasleft();
        while (before - gasleft() < gasBurnt) {}
        if (target == address(0) || _calling) return;
        _calling = true;
        ++attempts;
        (bool success, ) = target.call(data);
        if (success) ++accepted;
        _calling = false;
    }
}
