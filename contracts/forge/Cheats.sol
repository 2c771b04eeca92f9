// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @notice What the runner of the campaign can do beside the chain.
interface Cheats {
    function prank(address sender) external;
    function warp(uint256 time) external;
    function sign(
        uint256 key,
        bytes32 digest
    ) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function addr(uint256 key) external pure returns (address);
}

Cheats constant cheats = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
