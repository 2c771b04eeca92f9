// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {MerkleSum} from "../vault/MerkleSum.sol";
import {VaultAnchors} from "../vault/VaultAnchors.sol";
import {cheats} from "./Cheats.sol";
import {VaultStage} from "./VaultStage.sol";

/// @title Anchors, and what callers do at an exit, in any order
abstract contract ExitHandler is VaultStage {
    /// @dev What the exchange owes each actor: deposits, trades and payments.
    mapping(address account => int256 units) public owedTo;

    struct Leaf {
        uint64 units;
        uint64 withdrawn;
    }

    /// @dev The leaves of the last anchor: those of the actors and the vault's own.
    Leaf[5] internal leaves;
    uint64 internal anchoredDeposits;
    mapping(address account => uint256 units) internal depositsAtAnchor;
    mapping(address account => uint256 units) internal paidAtAnchor;
    /// @dev Whether each account has had its whole due at a finished exit.
    bool public isEnded;

    /// @dev The tree of what is owed now, signed; or one whose sum or number is wrong.
    function anchor(uint8 way) external {
        VaultAnchors.Anchor memory next;
        Leaf[5] memory made = leavesNow();
        uint256 sum;
        for (uint256 i = 0; i < 5; ++i) sum += made[i].units;
        (next.root, next.sum) = rootOf(made);
        require(next.sum == sum);
        (next.epoch, next.leaves) = (vault.epoch() + 1, 5);
        (next.depositCount, next.withdrawn) = (depositCount, uint96(paidSum));
        next.deficit = uint64(sum + paidSum - depositSum);
        if (way % 8 == 1) next.sum += 1;
        if (way % 8 == 2) next.epoch += 1;
        if (way % 8 == 3) next.depositCount += 1;
        uint256 mask = way % 8 == 4 ? uint256(1) << firstLive : uint256(3) << firstLive;
        (bytes[] memory signatures, bool isGood) = signAs(vault.hashAnchor(next), mask, 0);
        bool isFair = isGood && isOpen() && (way % 8 == 0 || way % 8 > 3);
        try vault.anchor(next, signatures) {
            require(isFair, "an anchor that must be refused");
            for (uint256 i = 0; i < 5; ++i) leaves[i] = made[i];
            anchoredDeposits = depositCount;
            for (uint256 i = 0; i < 4; ++i) {
                depositsAtAnchor[actors[i]] = depositsOf[actors[i]];
                paidAtAnchor[actors[i]] = paidOf[actors[i]];
            }
        } catch {
            require(!isFair, "an anchor that must be taken");
        }
    }

    /// @dev Debts count 0; the vault's own leaf is the rest.
    function leavesNow() private view returns (Leaf[5] memory made) {
        for (uint256 i = 0; i < 4; ++i) {
            int256 owed = owedTo[actors[i]];
            made[i] = Leaf(owed > 0 ? uint64(uint256(owed)) : 0, uint64(paidOf[actors[i]]));
        }
        made[4].units = uint64(depositsOf[address(vault)]);
    }

    /// @dev ((0 1) (2 3)) 4
    function rootOf(Leaf[5] memory made) private view returns (bytes32 root, uint64 sum) {
        (bytes32 left, uint64 leftSum) = pairOf(made, 0);
        (bytes32 right, uint64 rightSum) = pairOf(made, 2);
        root = MerkleSum.nodeHash(left, leftSum, right, rightSum);
        sum = leftSum + rightSum;
        root = MerkleSum.nodeHash(root, sum, hashOf(made, 4), made[4].units);
        sum += made[4].units;
    }

    function pairOf(Leaf[5] memory made, uint256 at) private view returns (bytes32, uint64) {
        (uint64 one, uint64 other) = (made[at].units, made[at + 1].units);
        (bytes32 left, bytes32 right) = (hashOf(made, at), hashOf(made, at + 1));
        return (MerkleSum.nodeHash(left, one, right, other), one + other);
    }

    function hashOf(Leaf[5] memory made, uint256 at) private view returns (bytes32) {
        address account = at == 4 ? address(vault) : actors[at];
        return MerkleSum.leafHash(account, made[at].units, made[at].withdrawn, bytes32(0));
    }

    /// @dev Seldom, because nothing closes an exit. Before its time it must not open.
    function openExit(uint256 seed) external {
        if (!isOpen() || vault.epoch() == 0) return;
        token.setFeeRate(0);
        if (seed % 4 > 0) {
            bool isSilent = block.timestamp > uint256(vault.anchoredAt()) + SILENCE;
            try vault.openExit() {
                require(isSilent, "not before the silence");
            } catch {
                require(!isSilent, "anyone opens it");
            }
            return;
        }
        cheats.warp(uint256(vault.anchoredAt()) + SILENCE);
        try vault.openExit() {
            revert("not before the silence");
        } catch {}
        cheats.warp(block.timestamp + 1);
        vault.openExit();
    }

    /// @dev A leaf as it is in the tree, or with a wrong member.
    function registerLeaf(uint256 who, uint8 way, uint64 change) public {
        if (isOpen()) return;
        uint256 at = who % 5;
        address account = at == 4 ? address(vault) : actors[at];
        (uint64 units, uint64 withdrawn) = (leaves[at].units, leaves[at].withdrawn);
        bool isTrue = way % 4 > 1 || change == 0;
        unchecked {
            if (way % 4 == 0) units += change;
            if (way % 4 == 1) withdrawn += change;
        }
        (, , , bool isKnown, ) = vault.claimOf(account);
        try vault.registerLeaf(account, units, withdrawn, bytes32(0), proofOf(at)) {
            require(isTrue && !isKnown, "a leaf that must be refused");
        } catch {
            require(!isTrue || isKnown, "a leaf that must be taken");
        }
    }

    function proofOf(uint256 at) private view returns (MerkleSum.Sibling[] memory siblings) {
        Leaf[5] memory made = leaves;
        (bytes32 left, uint64 leftSum) = pairOf(made, 0);
        (bytes32 right, uint64 rightSum) = pairOf(made, 2);
        if (at == 4) {
            siblings = new MerkleSum.Sibling[](1);
            bytes32 inner = MerkleSum.nodeHash(left, leftSum, right, rightSum);
            siblings[0] = MerkleSum.Sibling(inner, leftSum + rightSum, true);
            return siblings;
        }
        siblings = new MerkleSum.Sibling[](3);
        uint256 beside = at ^ 1;
        siblings[0] = MerkleSum.Sibling(hashOf(made, beside), made[beside].units, at % 2 == 1);
        siblings[1] = at < 2
            ? MerkleSum.Sibling(right, rightSum, false)
            : MerkleSum.Sibling(left, leftSum, true);
        siblings[2] = MerkleSum.Sibling(hashOf(made, 4), made[4].units, false);
    }

    function registerDeposit(uint64 seed) external {
        if (isOpen() || depositCount == 0) return;
        registerOne(1 + (seed % depositCount));
    }

    mapping(uint64 index => bool known) private _registered;

    function registerOne(uint64 index) private {
        uint64[] memory indexes = new uint64[](1);
        indexes[0] = index;
        bool isFair = index > anchoredDeposits && !_registered[index];
        try vault.registerDeposits(indexes) {
            require(isFair, "a deposit counts once, after the anchor");
            _registered[index] = true;
        } catch {
            require(!isFair, "a deposit after the anchor counts");
        }
    }

    function collect(uint256 who) external {
        if (isOpen()) return;
        address account = who % 5 == 4 ? address(vault) : actors[who % 5];
        uint256 before = token.balanceOf(account);
        try vault.collect(account) returns (uint96 units) {
            require(account != address(vault), "the fund stands behind all others");
            require(token.balanceOf(account) == before + units, "what is collected arrives");
        } catch {}
    }

    /// @dev All register and collect, in an order of the seed: a pause does not matter.
    function finishExit(uint256 seed) external {
        if (isOpen()) return;
        token.setPaused(false);
        for (uint64 i = 1; i <= depositCount; ++i) registerOne(i);
        for (uint256 i = 0; i < 5; ++i) registerLeaf(seed % 5 + i, 2, 0);
        uint256 held = vault.exitHeld();
        uint256 total;
        for (uint256 i = 0; i < 4; ++i) total += dueOf(i);
        for (uint256 i = 0; i < 4; ++i) {
            address account = actors[(seed % 4 + i) % 4];
            token.setBlocked(account, false);
            if (vault.collectable(account) > 0) vault.collect(account);
        }
        for (uint256 i = 0; i < 4; ++i) {
            (, , , , uint96 taken) = vault.claimOf(actors[i]);
            uint256 due = dueOf(i);
            require(taken <= due, "never more than what is due");
            if (total <= held) require(taken == due, "everybody is whole");
            else require(taken == (due * held) / total, "everybody has the same share");
        }
        isEnded = true;
    }

    /// @dev Leaf + deposits since - payments since, at least 0.
    function dueOf(uint256 at) private view returns (uint256) {
        address account = actors[at];
        uint256 credit = leaves[at].units + depositsOf[account] - depositsAtAnchor[account];
        uint256 since = paidOf[account] - paidAtAnchor[account];
        return credit > since ? credit - since : 0;
    }
}
