// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {EvermarkVault} from "../vault/EvermarkVault.sol";
import {VaultPayments} from "../vault/VaultPayments.sol";
import {Cheats, cheats} from "./Cheats.sol";

/// @title A vault with signers whose keys are known, and what is counted beside it
/// @notice The vault's own counts decide nothing here: each number below is made of what the
/// callers did and of the token's balances.
abstract contract VaultStage {
    uint64 internal constant CAPACITY = 1_000e6;
    uint64 internal constant INSTANT = 400e6;
    uint64 internal constant DELAY = 6 hours;
    uint64 internal constant SILENCE = 7 days;
    address internal constant ADMIN = address(0xAD);
    address internal constant GUARDIAN = address(0x6A);

    EvermarkVault public vault;
    HostileToken public token;
    address[] public actors;

    /// @dev Five keys, ascending by their address; the vault knows three at a time.
    uint256[] internal keys;
    uint256 internal firstLive;

    uint64 public depositCount;
    uint256 public depositSum;
    bytes32 public depositHash;
    mapping(address account => uint256 units) public depositsOf;
    mapping(address account => uint256 units) public paidOf;
    uint256 public paidSum;

    struct Known {
        address to;
        uint64 units;
        VaultPayments.State state;
        uint256 readyAt;
    }

    /// @dev Each id that was ever signed, as the vault first took it.
    bytes16[] public ids;
    mapping(bytes16 id => Known known) public knownOf;
    uint256 internal drawn;

    /// @dev What was paid without delay, by time.
    uint256[] internal instantAt;
    uint256[] internal instantUnits;
    /// @dev The level of the bucket after the last batch.
    uint256 internal bucketLevel;
    uint256 internal bucketAt;

    constructor() {
        for (uint256 i = 1; i <= 5; ++i) keys.push(uint256(keccak256(abi.encode("signer", i))));
        for (uint256 i = 0; i < 5; ++i) {
            for (uint256 j = i + 1; j < 5; ++j) {
                if (cheats.addr(keys[j]) < cheats.addr(keys[i])) {
                    (keys[i], keys[j]) = (keys[j], keys[i]);
                }
            }
        }
        for (uint160 i = 1; i <= 4; ++i) actors.push(address(0xACC0 + i));
        token = new HostileToken();
        EvermarkVault.Setup memory setup;
        setup.token = IERC20(address(token));
        (setup.admin, setup.adminDelay) = (ADMIN, 1 days);
        (setup.signers, setup.threshold) = (liveSigners(), 2);
        setup.guardians = new address[](1);
        setup.guardians[0] = GUARDIAN;
        setup.keeper = address(0x6E);
        (setup.minimumDeposit, setup.bucketCapacity, setup.instantMax) = (1e6, CAPACITY, INSTANT);
        (setup.queueDelay, setup.exitSilence) = (DELAY, SILENCE);
        vault = new EvermarkVault(setup);
        bucketAt = block.timestamp;
    }

    function liveSigners() internal view returns (address[] memory live) {
        live = new address[](3);
        for (uint256 i = 0; i < 3; ++i) live[i] = cheats.addr(keys[firstLive + i]);
    }

    /// @dev Signatures of the keys in `mask`, ascending; `spoil` says how they are wrong: 1 the
    /// first two change places, 2 the first one is there twice.
    function signAs(
        bytes32 structHash,
        uint256 mask,
        uint256 spoil
    ) internal view returns (bytes[] memory signatures, bool isGood) {
        bytes32 domain = vault.domainSeparator();
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, structHash));
        uint256 count;
        isGood = true;
        bytes[] memory made = new bytes[](6);
        for (uint256 i = 0; i < 5; ++i) {
            if ((mask >> i) & 1 == 0) continue;
            (uint8 v, bytes32 r, bytes32 s) = cheats.sign(keys[i], digest);
            made[count++] = abi.encodePacked(r, s, v);
            if (i < firstLive || i > firstLive + 2) isGood = false;
        }
        if (count < 2) isGood = false;
        if (spoil == 1 && count > 1) (made[0], made[1], isGood) = (made[1], made[0], false);
        if (spoil == 2 && count > 0) {
            for (uint256 i = count++; i > 0; --i) made[i] = made[i - 1];
            isGood = false;
        }
        signatures = new bytes[](count);
        for (uint256 i = 0; i < count; ++i) signatures[i] = made[i];
    }

    function isOpen() internal view returns (bool) {
        return vault.exitOpenedAt() == 0;
    }

    /// @dev Compares an id with what is known of it, books what has happened, and refuses each
    /// change of state that the vault does not promise.
    function follow(bytes16 id, bool isPaying) internal {
        Known storage known = knownOf[id];
        (address to, uint64 units, VaultPayments.State state) = vault.withdrawalOf(id);
        VaultPayments.State before = known.state;
        if (state == before) return;
        bool isFirst = before == VaultPayments.State.None;
        require(isFirst || before == VaultPayments.State.Queued, "an end is for ever");
        bool isSame = to == known.to && units == known.units;
        require(isFirst || isSame, "a queued payment is as it was");
        if (state == VaultPayments.State.Cancelled) {
            require(!isFirst && !isPaying, "only what is queued is cancelled");
        } else {
            require(isPaying, "only a payment pays");
            require(isFirst || block.timestamp >= known.readyAt, "queued until its time");
        }
        (known.to, known.units, known.state) = (to, units, state);
        if (state == VaultPayments.State.Queued) {
            known.readyAt = block.timestamp + DELAY;
        } else if (state == VaultPayments.State.Paid) {
            paidOf[to] += units;
            paidSum += units;
            if (isFirst) {
                instantAt.push(block.timestamp);
                instantUnits.push(units);
            }
        }
    }

    /// @notice What left without delay in 24 hours that end now.
    function instantOfDay() public view returns (uint256 sum) {
        for (uint256 i = instantAt.length; i > 0; --i) {
            if (instantAt[i - 1] + 1 days < block.timestamp) break;
            sum += instantUnits[i - 1];
        }
    }

    function idCount() external view returns (uint256) {
        return ids.length;
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }
}
