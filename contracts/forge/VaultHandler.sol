// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {VaultPayments} from "../vault/VaultPayments.sol";
import {cheats} from "./Cheats.sol";
import {ExitHandler} from "./ExitHandler.sol";

/// @title What callers do to a vault, in any order
/// @notice Each function is one call or a few, chosen by its arguments. It reverts only when the
/// vault has broken a promise.
contract VaultHandler is ExitHandler {
    function deposit(uint256 payer, uint256 owner, uint64 units, uint8 way) external {
        address from = actors[payer % 4];
        address account = owner % 9 == 8 ? address(vault) : actors[owner % 4];
        units = 1e6 + (units % 300e6);
        token.setFeeRate(way % 16 == 15 ? 100 : 0);
        token.mint(from, units);
        bool isFair = token.feeRate() == 0 && !token.isBlocked(from) && !token.paused() && isOpen();
        cheats.prank(from);
        token.approve(address(vault), 0);
        cheats.prank(from);
        token.approve(address(vault), units);
        cheats.prank(from);
        try vault.deposit(account, units) returns (uint64 index) {
            require(isFair, "a deposit that must be refused");
            require(index == ++depositCount, "indexes are dense");
            depositSum += units;
            depositHash = keccak256(abi.encode(depositHash, index, account, units));
            depositsOf[account] += units;
            owedTo[account] += int256(uint256(units));
        } catch {
            require(!isFair, "a deposit that must be taken");
        }
        token.setFeeRate(0);
    }

    /// @dev A gain of one actor is a loss of another one.
    function trade(uint256 winner, uint256 loser, uint64 units) external {
        (address to, address from) = (actors[winner % 4], actors[loser % 4]);
        if (owedTo[from] <= 0) return;
        int256 moved = int256(uint256(units) % (uint256(owedTo[from]) + 1));
        owedTo[from] -= moved;
        owedTo[to] += moved;
    }

    /// @dev Of the ids some are new, and some are known and now signed for another one.
    function pay(uint256 seed, uint64 units, uint256 mask, uint8 spoil) external {
        VaultPayments.Payment[] memory payments = new VaultPayments.Payment[](1 + (seed % 3));
        for (uint256 i = 0; i < payments.length; ++i) {
            uint256 each = uint256(keccak256(abi.encode(seed, i)));
            payments[i] = paymentOf(each, (units % 600e6) + 1);
        }
        // Most batches have two signers that count.
        uint256 chosen = mask % 4 == 0 ? (mask >> 2) % 32 : uint256(3) << firstLive;
        send(payments, chosen, spoil % 8);
    }

    function paymentOf(
        uint256 seed,
        uint64 units
    ) private returns (VaultPayments.Payment memory payment) {
        bool isKnown = ids.length > 0 && seed % 4 == 0;
        if (!isKnown) ids.push(bytes16(keccak256(abi.encode(++drawn))));
        bytes16 id = ids[isKnown ? (seed >> 8) % ids.length : ids.length - 1];
        uint256 late = seed % 16;
        uint64 deadline = uint64(block.timestamp + 1 days);
        if (late == 1) deadline = uint64(block.timestamp);
        if (late == 2) deadline = uint64(block.timestamp - 1);
        return VaultPayments.Payment(id, actors[(seed >> 16) % 4], units, deadline);
    }

    function send(VaultPayments.Payment[] memory payments, uint256 mask, uint256 spoil) private {
        (bytes[] memory signatures, bool isGood) = signAs(vault.hashPay(payments), mask, spoil);
        bool isFair = isGood && isOpen() && !vault.paused();
        uint256[4] memory before = balances();
        uint256[4] memory paid = paidAmounts();
        uint64 level = levelNow();
        try vault.pay(payments, signatures) {
            require(isFair, "a batch that must be refused");
            uint256 instant = instantUnits.length;
            for (uint256 i = 0; i < payments.length; ++i) followPayment(payments, i);
            uint256 taken;
            for (; instant < instantUnits.length; ++instant) taken += instantUnits[instant];
            require(vault.bucketLevel() + taken == level, "what is paid at once, the bucket had");
            (bucketLevel, bucketAt) = (vault.bucketLevel(), block.timestamp);
        } catch {
            require(!isFair, "a batch that must be taken");
        }
        requireReceived(before, paid);
    }

    /// @dev The vault's bucket, which refills no faster than it says. Each payment rounds it down
    /// once, and the payments that failed since are not known here.
    function levelNow() private view returns (uint64 level) {
        level = vault.bucketLevel();
        uint256 refilled = bucketLevel + (CAPACITY * (block.timestamp - bucketAt)) / 1 days;
        uint256 most = refilled < CAPACITY ? refilled : CAPACITY;
        require(level >= most && level <= most + 1, "a day fills the bucket");
    }

    /// @dev What the vault takes is for the signed amount and address, and in time.
    function followPayment(VaultPayments.Payment[] memory payments, uint256 at) private {
        bytes16 id = payments[at].id;
        VaultPayments.State before = knownOf[id].state;
        follow(id, before == VaultPayments.State.None);
        Known storage known = knownOf[id];
        if (known.state == before) return;
        // A batch may have an id twice: it is taken as the first one that was in time.
        while (block.timestamp > payments[at].deadline || payments[at].id != id) {
            require(++at < payments.length, "not after its deadline");
        }
        VaultPayments.Payment memory payment = payments[at];
        require(known.to == payment.to && known.units == payment.units, "as it was signed");
        // A fee of less than one is none.
        bool isObstructed = token.paused() || payment.units * token.feeRate() >= 10_000;
        bool canReceive = !token.isBlocked(payment.to) && !isObstructed;
        if (known.state == VaultPayments.State.Failed) require(!canReceive, "it fails alone");
        if (known.state == VaultPayments.State.Paid) require(canReceive, "it cannot receive");
    }

    function balances() private view returns (uint256[4] memory found) {
        for (uint256 i = 0; i < 4; ++i) found[i] = token.balanceOf(actors[i]);
    }

    function paidAmounts() private view returns (uint256[4] memory found) {
        for (uint256 i = 0; i < 4; ++i) found[i] = paidOf[actors[i]];
    }

    /// @dev Each wallet has just what was booked, and the exchange owes it less.
    function requireReceived(uint256[4] memory before, uint256[4] memory paid) private {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 booked = paidOf[actors[i]] - paid[i];
            require(token.balanceOf(actors[i]) == before[i] + booked, "what is booked has arrived");
            owedTo[actors[i]] -= int256(booked);
        }
    }

    /// @dev Bytes that no signer has made.
    function payForged(uint256 seed, bytes calldata one, bytes calldata other) external {
        VaultPayments.Payment[] memory payments = new VaultPayments.Payment[](1);
        payments[0] = paymentOf(seed, 1e6);
        bytes[] memory signatures = new bytes[](seed % 3);
        if (signatures.length > 0) signatures[0] = one;
        if (signatures.length > 1) signatures[1] = other;
        try vault.pay(payments, signatures) {
            revert("no signer has signed");
        } catch {}
    }

    /// @dev Only the vault may send without a signature.
    function sendExactly(uint256 who, uint64 units) external {
        try vault.sendExactly(actors[who % 4], units) {
            revert("only the vault sends");
        } catch {}
    }

    /// @dev Often a second before the time of one, or at it.
    function payQueued(uint256 seed) external {
        if (ids.length == 0) return;
        bytes16[] memory chosen = someIds(seed);
        uint256 moment = knownOf[chosen[0]].readyAt;
        if (seed % 3 == 0) moment -= moment == 0 ? 0 : 1;
        if (seed % 2 == 0 && moment > block.timestamp) cheats.warp(moment);
        uint256[4] memory before = balances();
        uint256[4] memory paid = paidAmounts();
        bool isFair = isOpen() && !vault.paused();
        try vault.payQueued(chosen) {
            require(isFair, "payments that must be refused");
            for (uint256 i = 0; i < chosen.length; ++i) follow(chosen[i], true);
        } catch {
            require(!isFair, "payments that must be taken");
        }
        requireReceived(before, paid);
    }

    function cancel(uint256 seed) external {
        if (ids.length == 0) return;
        bytes16[] memory chosen = someIds(seed);
        cheats.prank(GUARDIAN);
        vault.cancel(chosen);
        for (uint256 i = 0; i < chosen.length; ++i) follow(chosen[i], false);
    }

    function cancelVoided(uint256 seed) external {
        if (ids.length == 0) return;
        bytes16[] memory chosen = someIds(seed);
        vault.cancelVoided(chosen);
        for (uint256 i = 0; i < chosen.length; ++i) follow(chosen[i], false);
    }

    function someIds(uint256 seed) private view returns (bytes16[] memory chosen) {
        chosen = new bytes16[](2);
        // Mostly one that is queued, or a new one: the older ones have ended.
        uint256 recent = ids.length < 8 ? ids.length : 8;
        chosen[0] = ids[ids.length - 1 - (seed % recent)];
        for (uint256 i = 0; i < recent; ++i) {
            bytes16 id = ids[ids.length - 1 - (((seed % recent) + i) % recent)];
            if (knownOf[id].state == VaultPayments.State.Queued) chosen[0] = id;
        }
        chosen[1] = ids[(seed >> 8) % ids.length];
    }

    function replaceSigners(uint256 seed) external {
        firstLive = seed % 3;
        address[] memory next = liveSigners();
        cheats.prank(ADMIN);
        vault.setSigners(next, 2, seed % 4 == 0);
    }

    function pause(bool value) external {
        if (vault.paused() == value) return;
        cheats.prank(value ? GUARDIAN : ADMIN);
        if (value) vault.pause();
        else vault.unpause();
    }

    function obstruct(uint256 who, bool isBlocked, uint8 way) external {
        token.setBlocked(actors[who % 4], isBlocked && way % 2 == 0);
        token.setPaused(way % 8 == 7);
        token.setFeeRate(isOpen() && way % 8 == 6 ? 100 : 0);
    }

    /// @dev The token calls the vault back during each transfer from now on.
    function reenter(uint256 seed) external {
        bytes memory data = abi.encodeCall(vault.collect, (actors[seed % 4]));
        if (seed % 4 == 1 && ids.length > 0) {
            data = abi.encodeCall(vault.payQueued, (someIds(seed)));
        }
        if (seed % 4 == 2) data = abi.encodeCall(vault.deposit, (actors[0], 1e6));
        if (seed % 4 == 3) {
            VaultPayments.Payment[] memory payments = new VaultPayments.Payment[](1);
            payments[0] = paymentOf(seed, 1e6);
            (bytes[] memory signatures, ) = signAs(
                vault.hashPay(payments),
                uint256(3) << firstLive,
                0
            );
            data = abi.encodeCall(vault.pay, (payments, signatures));
        }
        token.setCall(seed % 5 == 4 ? address(0) : address(vault), data);
    }

    function pass(uint256 time) external {
        cheats.warp(block.timestamp + (time % 8 hours));
    }
}
