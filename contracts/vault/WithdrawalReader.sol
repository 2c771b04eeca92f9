// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {VaultPayments} from "./VaultPayments.sol";

/// @title Reads many withdrawals in one call
/// @notice It is never deployed: a node runs its constructor in a call without a recipient, and
/// what that returns in place of code is the answer. So it reads every vault there is, and a start
/// of the chain service costs one call for hundreds of ids.
contract WithdrawalReader {
    /// @dev Returns one word for each id: three zero bytes, the state, the units in eight bytes,
    /// the recipient. A node takes at most 24,576 bytes as code, which are 768 ids.
    constructor(VaultPayments vault, bytes16[] memory ids) {
        uint256[] memory words = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; ++i) {
            (address to, uint64 units, VaultPayments.State state) = vault.withdrawalOf(ids[i]);
            words[i] = (uint256(state) << 224) | (uint256(units) << 160) | uint160(to);
        }
        assembly ("memory-safe") {
            return(add(words, 32), mul(mload(words), 32))
        }
    }
}
