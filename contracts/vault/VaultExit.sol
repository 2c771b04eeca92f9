// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {MerkleSum} from "./MerkleSum.sol";
import {VaultAnchors} from "./VaultAnchors.sol";

/// @title The way out without the exchange
/// @notice When no anchor has come for the time of silence, anyone opens the exit, for ever. An
/// account is then due
///
///     units of its leaf + its deposits after the anchor - what was paid to it after its leaf
///
/// and gets the share min(1, held / owed) of it. `owed` begins as the sum of the tree and of the
/// deposits after the anchor, without anything that was paid since. It falls to the exact sum as
/// accounts are registered; anyone may register any account, because the tree is public. So the
/// share only rises, an account may collect at once and the difference later, and all that is
/// collected never exceeds what the vault held.
abstract contract VaultExit is VaultAnchors {
    using SafeERC20 for IERC20;
    using BitMaps for BitMaps.BitMap;

    /// @notice What an account has registered and collected.
    /// @param deposits Registered deposits after the anchor.
    /// @param leafUnits The units of its leaf.
    /// @param leafWithdrawn What had been paid to it when the tree was made.
    /// @param hasLeaf Whether its leaf is registered.
    /// @param taken What it has collected.
    struct Claim {
        uint96 deposits;
        uint64 leafUnits;
        uint64 leafWithdrawn;
        bool hasLeaf;
        uint96 taken;
    }

    uint64 public constant EXIT_SILENCE_MIN = 7 days;
    uint64 public constant EXIT_SILENCE_MAX = 90 days;

    /// @notice How long no anchor comes before the exit can be opened, in seconds.
    uint64 public immutable exitSilence;
    /// @notice What the vault held when the exit opened, in units.
    uint128 public exitHeld;
    /// @notice What all accounts are due, at most; it only falls.
    uint128 public exitOwed;
    /// @notice What all accounts have collected, in units.
    uint128 public exitTaken;
    /// @notice What each account has registered and collected.
    mapping(address account => Claim claim) public claimOf;
    BitMaps.BitMap private _registered;

    event ExitOpened(uint128 held, uint128 owed);
    event LeafRegistered(address indexed account, uint64 units, uint64 withdrawn);
    event DepositRegistered(uint64 indexed index, address indexed account, uint96 units);
    event Collected(address indexed account, uint96 units);

    error SilenceInvalid();
    error NoAnchor();
    error NotSilent(uint256 until);
    error ExitIsClosed();
    error LeafKnown(address account);
    error LeafInvalid(address account);
    error DepositInvalid(uint64 index);
    error NothingToCollect();

    modifier duringExit() {
        if (exitOpenedAt == 0) revert ExitIsClosed();
        _;
    }

    constructor(uint64 silence) {
        if (silence < EXIT_SILENCE_MIN || silence > EXIT_SILENCE_MAX) revert SilenceInvalid();
        exitSilence = silence;
    }

    /// @notice Opens the exit. Anyone may call it; nothing closes it again.
    function openExit() external nonReentrant beforeExit {
        if (epoch == 0) revert NoAnchor();
        uint256 until = uint256(anchoredAt) + exitSilence;
        if (block.timestamp <= until) revert NotSilent(until);
        exitOpenedAt = uint64(block.timestamp);
        exitHeld = uint128(token.balanceOf(address(this)) / scale);
        uint96 since = depositTotal() - depositOf[_anchor.depositCount].cumulative;
        exitOwed = uint128(_anchor.sum) + since;
        emit ExitOpened(exitHeld, exitOwed);
    }

    /// @notice Registers the leaf of an account by its proof. Anyone may do it.
    /// @param account The account of the leaf.
    /// @param units What the leaf says it is owed.
    /// @param withdrawn What the leaf says had been paid to it.
    /// @param salt The salt of the leaf.
    /// @param siblings The proof, from the leaf upwards.
    function registerLeaf(
        address account,
        uint64 units,
        uint64 withdrawn,
        bytes32 salt,
        MerkleSum.Sibling[] calldata siblings
    ) external duringExit {
        Claim storage claim = claimOf[account];
        if (claim.hasLeaf) revert LeafKnown(account);
        (bytes32 root, uint64 sum) = MerkleSum.climb(
            MerkleSum.leafHash(account, units, withdrawn, salt),
            units,
            siblings
        );
        if (root != _anchor.root || sum != _anchor.sum) revert LeafInvalid(account);
        // A true leaf counts only payments that were made before its anchor was accepted.
        if (withdrawn > walletOf[account].paid - paidSince(account)) revert LeafInvalid(account);
        uint256 before = _countedFor(account, claim);
        (claim.hasLeaf, claim.leafUnits, claim.leafWithdrawn) = (true, units, withdrawn);
        _lowerOwed(before + units, _countedFor(account, claim));
        emit LeafRegistered(account, units, withdrawn);
    }

    /// @notice Registers deposits that came after the anchor, each once. Anyone may do it.
    function registerDeposits(uint64[] calldata indexes) external duringExit {
        for (uint256 i = 0; i < indexes.length; ++i) {
            uint64 index = indexes[i];
            bool known = _registered.get(index);
            if (known || index <= _anchor.depositCount || index > depositCount) {
                revert DepositInvalid(index);
            }
            _registered.set(index);
            address account = depositOf[index].account;
            uint96 units = depositOf[index].cumulative - depositOf[index - 1].cumulative;
            Claim storage claim = claimOf[account];
            uint256 before = _countedFor(account, claim);
            claim.deposits += units;
            _lowerOwed(before + units, _countedFor(account, claim));
            emit DepositRegistered(index, account, units);
        }
    }

    /// @notice Pays an account what it can collect now. Anyone may call it; the money goes to the
    /// account. A pause does not stop it.
    function collect(address account) external nonReentrant duringExit returns (uint96 units) {
        units = collectable(account);
        if (units == 0) revert NothingToCollect();
        claimOf[account].taken += units;
        exitTaken += units;
        emit Collected(account, units);
        token.safeTransfer(account, units * scale);
    }

    /// @notice What an account can collect now: its share of what it is due, less what it has.
    /// @dev share = min(1, held / owed), rounded down.
    function collectable(address account) public view returns (uint96) {
        Claim storage claim = claimOf[account];
        uint256 due = dueTo(account);
        if (exitOwed > exitHeld) due = Math.mulDiv(due, exitHeld, exitOwed);
        return uint96(due) - claim.taken;
    }

    /// @notice What an account is certainly due, in units, by what is registered. The insurance
    /// fund, whose account is this contract, is due nothing: it stands behind all others.
    /// @dev Without a leaf all that was ever paid counts against the deposits, because the leaf may
    /// exist and not be registered.
    function dueTo(address account) public view returns (uint256) {
        if (account == address(this)) return 0;
        Claim storage claim = claimOf[account];
        uint256 credit = uint256(claim.deposits) + claim.leafUnits + claim.leafWithdrawn;
        return Math.saturatingSub(credit, walletOf[account].paid);
    }

    /// @notice What was paid to an account since the last anchor was accepted.
    function paidSince(address account) public view returns (uint96) {
        Wallet storage wallet = walletOf[account];
        return wallet.epoch == epoch ? wallet.paid - wallet.paidBefore : 0;
    }

    /// @dev What `owed` contains for the registered part of an account: exactly what it is due once
    /// its leaf is known, and before that at least what it is due for its deposits.
    function _countedFor(address account, Claim storage claim) private view returns (uint256) {
        if (claim.hasLeaf || account == address(this)) return dueTo(account);
        return Math.saturatingSub(claim.deposits, paidSince(account));
    }

    /// @dev Never rises: `after_` is at most `before`.
    function _lowerOwed(uint256 before, uint256 after_) private {
        exitOwed -= uint128(before - after_);
    }
}
