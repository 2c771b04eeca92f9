// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {VaultLedger} from "./VaultLedger.sol";
import {VaultSigners} from "./VaultSigners.sol";

/// @title Withdrawals
/// @notice A withdrawal has the id of its record on the exchange. It is paid at most once, to the
/// signed address and for the signed amount:
///
///     None -> Paid | Failed | Queued        Queued -> Paid | Failed | Cancelled
///
/// The exchange gives the money back to an account only at Failed or Cancelled, or at None when the
/// time of a final block is past the deadline. None of these three is ever paid later.
abstract contract VaultPayments is VaultSigners, VaultLedger, Pausable {
    using SafeERC20 for IERC20;

    enum State {
        None,
        Paid,
        Failed,
        Queued,
        Cancelled
    }

    /// @notice What the signers sign, once for each withdrawal of a batch.
    struct Payment {
        bytes16 id;
        address to;
        uint64 units;
        uint64 deadline;
    }

    /// @notice What became of an id.
    struct Withdrawal {
        address to;
        uint64 units;
        State state;
    }

    /// @notice When a queued withdrawal may be paid, and the queue that it belongs to.
    struct Place {
        uint64 readyAt;
        uint64 generation;
    }

    /// @notice The gas of one transfer. A caller who sends less cannot make it fail: the whole
    /// call reverts.
    uint256 public constant TRANSFER_GAS = 300_000;
    uint64 public constant QUEUE_DELAY_MIN = 1 hours;
    uint64 public constant QUEUE_DELAY_MAX = 7 days;

    bytes32 public constant PAYMENT_TYPEHASH =
        keccak256("Payment(bytes16 id,address to,uint64 units,uint64 deadline)");
    bytes32 public constant PAY_TYPEHASH =
        keccak256(
            "Pay(Payment[] payments)Payment(bytes16 id,address to,uint64 units,uint64 deadline)"
        );

    /// @notice What is paid without delay within a day: at most this at once, and as much again
    /// while the bucket refills. The bucket of a new vault is empty.
    uint64 public bucketCapacity;
    /// @notice The largest payment without delay.
    uint64 public instantMax;
    /// @notice How long a queued payment waits, in seconds.
    uint64 public queueDelay;
    /// @notice Payments that were queued in an earlier generation are never paid.
    uint64 public queueGeneration;
    uint64 private _bucketLevel;
    uint64 private _bucketAt;

    /// @notice What became of each id.
    mapping(bytes16 id => Withdrawal withdrawal) public withdrawalOf;
    /// @notice The place of each queued id.
    mapping(bytes16 id => Place place) public placeOf;

    event Paid(bytes16 indexed id, address indexed to, uint64 units);
    event Failed(bytes16 indexed id, address indexed to, uint64 units);
    event Queued(bytes16 indexed id, address indexed to, uint64 units, uint64 readyAt);
    event Cancelled(bytes16 indexed id);
    event LimitsChanged(uint64 bucketCapacity, uint64 instantMax, uint64 queueDelay);
    event QueueVoided(uint64 generation);

    error LimitsInvalid();
    error BatchEmpty();
    error GasTooLow();
    error OnlyVault();
    error RecipientInvalid();
    error RecipientGotLess();

    /// @notice Pays a signed batch. Anyone may send it. A known id and one whose deadline has
    /// passed are passed over, so a batch may be sent again and batches may overlap.
    function pay(
        Payment[] calldata payments,
        bytes[] calldata signatures
    ) external nonReentrant whenNotPaused beforeExit {
        if (payments.length == 0) revert BatchEmpty();
        _requireSigned(hashPay(payments), signatures);
        for (uint256 i = 0; i < payments.length; ++i) _settle(payments[i]);
    }

    /// @notice Pays queued withdrawals whose time has come. Anyone may call it.
    function payQueued(bytes16[] calldata ids) external nonReentrant whenNotPaused beforeExit {
        for (uint256 i = 0; i < ids.length; ++i) {
            bytes16 id = ids[i];
            Withdrawal memory withdrawal = withdrawalOf[id];
            Place memory place = placeOf[id];
            if (withdrawal.state != State.Queued || block.timestamp < place.readyAt) continue;
            if (place.generation != queueGeneration || !_holds(withdrawal.units)) continue;
            _send(id, withdrawal.to, withdrawal.units);
        }
    }

    /// @notice Cancels payments of a queue that the administrator has voided. Anyone may call it.
    function cancelVoided(bytes16[] calldata ids) external nonReentrant {
        for (uint256 i = 0; i < ids.length; ++i) {
            if (placeOf[ids[i]].generation != queueGeneration) _cancel(ids[i]);
        }
    }

    /// @dev Sends tokens and proves that they have arrived. A function of its own, which only this
    /// contract may call: whatever it does is undone as one when it reverts.
    function sendExactly(address to, uint256 amount) external {
        if (msg.sender != address(this)) revert OnlyVault();
        if (to == address(0) || to == address(this)) revert RecipientInvalid();
        uint256 before = token.balanceOf(to);
        uint256 held = token.balanceOf(address(this));
        token.safeTransfer(to, amount);
        if (token.balanceOf(to) != before + amount) revert RecipientGotLess();
        if (token.balanceOf(address(this)) != held - amount) revert RecipientGotLess();
    }

    /// @notice The units that can be paid without delay now.
    /// @dev level + capacity x elapsed / 1 day, at most the capacity.
    function bucketLevel() public view returns (uint64) {
        uint256 refill = (uint256(bucketCapacity) * (block.timestamp - _bucketAt)) / 1 days;
        uint256 level = _bucketLevel + refill;
        return level > bucketCapacity ? bucketCapacity : uint64(level);
    }

    /// @notice The EIP-712 hash of a batch, without its domain.
    function hashPay(Payment[] calldata payments) public pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](payments.length);
        for (uint256 i = 0; i < payments.length; ++i) {
            Payment calldata each = payments[i];
            hashes[i] = keccak256(
                abi.encode(PAYMENT_TYPEHASH, each.id, each.to, each.units, each.deadline)
            );
        }
        return keccak256(abi.encode(PAY_TYPEHASH, keccak256(abi.encodePacked(hashes))));
    }

    /// @dev A withdrawal that the vault cannot afford stays None, and its deadline ends it.
    function _settle(Payment calldata payment) private {
        bytes16 id = payment.id;
        if (withdrawalOf[id].state != State.None || block.timestamp > payment.deadline) return;
        uint64 units = payment.units;
        if (!_holds(units)) return;
        uint64 level = bucketLevel();
        if (units > instantMax || units > level) {
            uint64 readyAt = uint64(block.timestamp) + queueDelay;
            withdrawalOf[id] = Withdrawal(payment.to, units, State.Queued);
            placeOf[id] = Place(readyAt, queueGeneration);
            emit Queued(id, payment.to, units, readyAt);
            return;
        }
        _setBucket(level - units);
        if (!_send(id, payment.to, units)) _setBucket(level);
    }

    /// @dev Ends an id as Paid or Failed. All is written before the token is called.
    function _send(bytes16 id, address to, uint64 units) private returns (bool sent) {
        // The call gets at most 63/64 of what is left. With less, a caller could choose a limit of
        // gas at which the transfer fails and the rest succeeds.
        if (gasleft() < (TRANSFER_GAS * 64) / 63 + 60_000) revert GasTooLow();
        withdrawalOf[id] = Withdrawal(to, units, State.Paid);
        try this.sendExactly{gas: TRANSFER_GAS}(to, units * scale) {
            _notePaid(to, units);
            emit Paid(id, to, units);
            return true;
        } catch {
            withdrawalOf[id].state = State.Failed;
            emit Failed(id, to, units);
            return false;
        }
    }

    function _holds(uint64 units) private view returns (bool) {
        return token.balanceOf(address(this)) >= units * scale;
    }

    /// @dev Only what is queued can be cancelled; any other id is passed over.
    function _cancel(bytes16 id) internal {
        if (withdrawalOf[id].state != State.Queued) return;
        withdrawalOf[id].state = State.Cancelled;
        emit Cancelled(id);
    }

    /// @dev All that is queued now is never paid.
    function _voidQueue() internal {
        emit QueueVoided(++queueGeneration);
    }

    /// @dev A larger bucket is not full at once: it keeps its level.
    function _setLimits(uint64 capacity, uint64 instant, uint64 delay) internal {
        if (instant > capacity) revert LimitsInvalid();
        if (delay < QUEUE_DELAY_MIN || delay > QUEUE_DELAY_MAX) revert LimitsInvalid();
        uint64 level = bucketLevel();
        bucketCapacity = capacity;
        instantMax = instant;
        queueDelay = delay;
        _setBucket(level > capacity ? capacity : level);
        emit LimitsChanged(capacity, instant, delay);
    }

    function _setBucket(uint64 level) private {
        _bucketLevel = level;
        _bucketAt = uint64(block.timestamp);
    }
}
