// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @title The tree of what is owed
/// @notice Each leaf is what one account is owed, each inner node commits to the hashes and to the
/// sums of both of its children. So no leaf can be in the tree without being in the sum.
/// @dev Hashes are sha256, because the exchange computes a tree of a million leaves every hour and
/// its platform does sha256 nine times as fast as keccak256. A leaf and an inner node differ in
/// their first byte and in their length, so one is never read as the other. The sums are 64 bits
/// and are never truncated: an addition that overflows reverts.
library MerkleSum {
    /// @notice A node beside the way from a leaf to the root.
    struct Sibling {
        bytes32 hash;
        uint64 sum;
        bool onLeft;
    }

    /// @notice A tree cannot be deeper than its accounts can be counted.
    uint256 internal constant DEPTH_MAX = 64;

    error ProofTooLong(uint256 length);

    /// @notice The hash of a leaf.
    /// @param account Who is owed.
    /// @param units What the account is owed, in 1e-6 of the token.
    /// @param withdrawn What had been paid to the account when the tree was made.
    /// @param salt Chosen by the exchange.
    function leafHash(
        address account,
        uint64 units,
        uint64 withdrawn,
        bytes32 salt
    ) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(0), account, units, withdrawn, salt));
    }

    /// @notice The hash of an inner node.
    function nodeHash(
        bytes32 left,
        uint64 leftSum,
        bytes32 right,
        uint64 rightSum
    ) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(1), left, leftSum, right, rightSum));
    }

    /// @notice The root and the sum to which a leaf and its siblings lead.
    /// @param hash The hash of the leaf.
    /// @param sum The units of the leaf.
    /// @param siblings From the leaf upwards.
    function climb(
        bytes32 hash,
        uint64 sum,
        Sibling[] calldata siblings
    ) internal pure returns (bytes32, uint64) {
        uint256 length = siblings.length;
        if (length > DEPTH_MAX) revert ProofTooLong(length);
        for (uint256 i = 0; i < length; ++i) {
            Sibling calldata sibling = siblings[i];
            hash = sibling.onLeft
                ? nodeHash(sibling.hash, sibling.sum, hash, sum)
                : nodeHash(hash, sum, sibling.hash, sibling.sum);
            sum += sibling.sum;
        }
        return (hash, sum);
    }
}
