// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {VaultLedger} from "./VaultLedger.sol";
import {VaultSigners} from "./VaultSigners.sol";

/// @title Anchors: what the exchange owed at a place of its log
/// @notice The signers commit every hour to the tree of all that is owed. The contract checks that
/// the sum is exactly what had come in less what had gone out, plus the stated debts of accounts.
abstract contract VaultAnchors is VaultSigners, VaultLedger {
    /// @notice What an anchor commits to.
    /// @param epoch One more than that of the anchor before.
    /// @param root The root of the tree of sums.
    /// @param sum What all accounts are owed.
    /// @param deficit The equities below zero, which count as 0 in the tree, and the shortfall.
    /// @param leaves The leaves of the tree.
    /// @param depositCount The deposits that the exchange had accepted.
    /// @param withdrawn The withdrawals that it had completed, in units.
    /// @param logPosition The place in the log.
    /// @param logHash The hash of the batch there, which chains all batches before it.
    /// @param treeHash The hash of the published file with all leaves.
    struct Anchor {
        uint64 epoch;
        bytes32 root;
        uint64 sum;
        uint64 deficit;
        uint64 leaves;
        uint64 depositCount;
        uint96 withdrawn;
        uint64 logPosition;
        bytes32 logHash;
        bytes32 treeHash;
    }

    bytes32 public constant ANCHOR_TYPEHASH =
        keccak256(
            "Anchor(uint64 epoch,bytes32 root,uint64 sum,uint64 deficit,uint64 leaves,"
            "uint64 depositCount,uint96 withdrawn,uint64 logPosition,bytes32 logHash,"
            "bytes32 treeHash)"
        );

    /// @notice When the last anchor was accepted.
    uint64 public anchoredAt;
    Anchor internal _anchor;

    event Anchored(uint64 indexed epoch, bytes32 root, uint64 sum, bytes32 treeHash, Anchor anchor);

    error EpochInvalid(uint64 given, uint64 expected);
    error AnchorAhead();
    error AnchorUnbalanced();

    /// @notice The last anchor; all zero while there is none.
    function lastAnchor() external view returns (Anchor memory) {
        return _anchor;
    }

    /// @notice Accepts the next anchor. Anyone may send it; a pause does not stop it, because the
    /// exit opens when anchors stay away.
    /// @dev The place in the log and the counts need not rise. If they had to, stolen keys could
    /// anchor the largest numbers once, and the honest anchor after it would be refused until the
    /// exit opens with the forged root. Readers compare the places with the log.
    function anchor(Anchor calldata next, bytes[] calldata signatures) external beforeExit {
        if (next.epoch != epoch + 1) revert EpochInvalid(next.epoch, epoch + 1);
        if (next.depositCount > depositCount || next.withdrawn > paidTotal) revert AnchorAhead();
        uint256 came = depositOf[next.depositCount].cumulative;
        if (uint256(next.sum) + next.withdrawn != came + next.deficit) revert AnchorUnbalanced();
        _requireSigned(hashAnchor(next), signatures);
        epoch = next.epoch;
        anchoredAt = uint64(block.timestamp);
        _anchor = next;
        emit Anchored(next.epoch, next.root, next.sum, next.treeHash, next);
    }

    /// @notice The EIP-712 hash of an anchor, without its domain.
    function hashAnchor(Anchor calldata each) public pure returns (bytes32) {
        return keccak256(abi.encode(ANCHOR_TYPEHASH, each));
    }
}
