// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {VaultExit} from "./VaultExit.sol";
import {VaultLedger} from "./VaultLedger.sol";
import {VaultPayments} from "./VaultPayments.sol";

/// @title The vault of an Evermark deployment
/// @notice Holds the token of all accounts of one exchange on one chain. It cannot be upgraded, it
/// has no way to move other tokens, and it takes no native coin. Tokens that are sent to it without
/// `deposit` are in no account's balance and stay.
/// @dev The administrator should be a timelock behind a multi-signature wallet: it names signers,
/// guardians and the keeper, sets limits, voids a queue and ends a pause. Guardians only stop money.
contract EvermarkVault is VaultPayments, VaultExit, AccessControlDefaultAdminRules {
    /// @notice How a vault begins.
    struct Setup {
        IERC20 token;
        address admin;
        uint48 adminDelay;
        address[] signers;
        uint256 threshold;
        address[] guardians;
        address keeper;
        uint64 minimumDeposit;
        uint64 bucketCapacity;
        uint64 instantMax;
        uint64 queueDelay;
        uint64 exitSilence;
    }

    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");
    bytes32 public constant KEEPER_ROLE = keccak256("KEEPER_ROLE");

    /// @notice How many reports of the liquidation keeper there are.
    uint64 public reportCount;

    event Reported(uint64 indexed sequence, uint64 from, uint64 to, bytes32 digest);

    error ReportInvalid();

    constructor(
        Setup memory setup
    )
        VaultLedger(setup.token)
        VaultExit(setup.exitSilence)
        AccessControlDefaultAdminRules(setup.adminDelay, setup.admin)
    {
        _setSigners(setup.signers, setup.threshold);
        _setMinimumDeposit(setup.minimumDeposit);
        _setLimits(setup.bucketCapacity, setup.instantMax, setup.queueDelay);
        for (uint256 i = 0; i < setup.guardians.length; ++i) {
            _grantRole(GUARDIAN_ROLE, setup.guardians[i]);
        }
        _grantRole(KEEPER_ROLE, setup.keeper);
    }

    /// @notice Stops payments, at once and until the administrator ends it. Deposits, anchors and
    /// the exit go on.
    function pause() external onlyRole(GUARDIAN_ROLE) {
        _pause();
    }

    /// @notice Lets payments go on.
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// @notice Cancels queued payments; other ids are passed over.
    function cancel(bytes16[] calldata ids) external onlyRole(GUARDIAN_ROLE) nonReentrant {
        for (uint256 i = 0; i < ids.length; ++i) _cancel(ids[i]);
    }

    /// @notice Replaces the signers.
    /// @param next The new set, ascending.
    /// @param needed How many of them must sign.
    /// @param voidQueue Whether all that is queued now shall never be paid: after a theft of keys.
    function setSigners(
        address[] calldata next,
        uint256 needed,
        bool voidQueue
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setSigners(next, needed);
        if (voidQueue) _voidQueue();
    }

    /// @notice Sets what is paid without delay, and the delay of all else.
    function setLimits(
        uint64 capacity,
        uint64 instant,
        uint64 delay
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setLimits(capacity, instant, delay);
    }

    /// @notice Sets the smallest deposit, in units.
    function setMinimumDeposit(uint64 units) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setMinimumDeposit(units);
    }

    /// @notice Publishes a report of the liquidation keeper. It moves no money.
    /// @dev Only the sequence is checked. A wrong stretch can so be reported again, and a stolen
    /// key cannot end the reports with one that reaches to the largest place.
    /// @param sequence One more than that of the report before.
    /// @param from The place in the log after which the report begins.
    /// @param to The place with which it ends.
    /// @param digest The root of its rows.
    function report(
        uint64 sequence,
        uint64 from,
        uint64 to,
        bytes32 digest
    ) external onlyRole(KEEPER_ROLE) {
        if (sequence != reportCount + 1 || from > to) revert ReportInvalid();
        reportCount = sequence;
        emit Reported(sequence, from, to, digest);
    }
}
