// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title Who may move money: k of n signers
/// @notice A signature names the action, the chain and this contract (EIP-712), so it is good for
/// nothing else. It counts while its signer is in the set: removing a signer ends all its earlier
/// signatures at once.
abstract contract VaultSigners is EIP712 {
    /// @notice The signers that a set may have.
    uint256 public constant SIGNERS_MAX = 16;

    /// @notice Whether an address is a signer now.
    mapping(address signer => bool live) public isSigner;
    /// @notice How many different signers an action needs.
    uint256 public threshold;
    address[] private _signers;

    event SignersChanged(address[] signers, uint256 threshold);

    error SignerSetInvalid();
    error SignaturesTooFew(uint256 given, uint256 needed);
    error SignersNotAscending(address signer);
    error SignerUnknown(address signer);

    constructor() EIP712("Evermark Vault", "1") {}

    /// @notice The signers now, in ascending order.
    function signers() external view returns (address[] memory) {
        return _signers;
    }

    /// @notice The hash of the EIP-712 domain: this contract on this chain.
    function domainSeparator() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @dev Replaces the set. The signers ascend, so none is there twice, and none is zero. More
    /// than half of them must sign, so that two disjoint groups can never both act.
    function _setSigners(address[] memory next, uint256 needed) internal {
        uint256 length = next.length;
        if (length == 0 || length > SIGNERS_MAX) revert SignerSetInvalid();
        if (needed > length || 2 * needed <= length) revert SignerSetInvalid();
        for (uint256 i = 0; i < _signers.length; ++i) isSigner[_signers[i]] = false;
        address before = address(0);
        for (uint256 i = 0; i < length; ++i) {
            if (next[i] <= before) revert SignersNotAscending(next[i]);
            before = next[i];
            isSigner[before] = true;
        }
        _signers = next;
        threshold = needed;
        emit SignersChanged(next, needed);
    }

    /// @dev Reverts unless at least `threshold` different live signers have signed. All signatures
    /// must be good, and they ascend by their signer.
    /// @param structHash The EIP-712 hash of what was signed.
    function _requireSigned(bytes32 structHash, bytes[] calldata signatures) internal view {
        uint256 length = signatures.length;
        if (length < threshold) revert SignaturesTooFew(length, threshold);
        bytes32 digest = _hashTypedDataV4(structHash);
        address before = address(0);
        for (uint256 i = 0; i < length; ++i) {
            address signer = ECDSA.recoverCalldata(digest, signatures[i]);
            if (signer <= before) revert SignersNotAscending(signer);
            if (!isSigner[signer]) revert SignerUnknown(signer);
            before = signer;
        }
    }
}
