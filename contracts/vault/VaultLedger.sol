// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @title What came in, and what went out
/// @notice Deposits have a dense index from 1 and are chained by hash: a reader that knows the
/// count and the hash knows that it has missed none. Amounts are whole units of 1e-6; the token
/// may have more decimals.
abstract contract VaultLedger is ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice A deposit: the account that it credits, and the sum of all deposits up to it.
    struct Deposit {
        address account;
        uint96 cumulative;
    }

    /// @notice What has been paid to an account.
    /// @param paid All of it.
    /// @param paidBefore The part before the anchor that was the last one at its last payment.
    /// @param epoch The epoch of that anchor.
    struct Wallet {
        uint96 paid;
        uint96 paidBefore;
        uint64 epoch;
    }

    /// @notice The largest deposit: beyond it the exchange cannot count a balance.
    uint64 public constant DEPOSIT_MAX = 2 ** 53 - 1;

    /// @notice The token that the vault holds.
    IERC20 public immutable token;
    /// @notice The token's smallest amounts in one unit of 1e-6.
    uint256 public immutable scale;

    /// @notice The smallest deposit, in units.
    uint64 public minimumDeposit;
    /// @notice How many deposits there are; the last one has this index.
    uint64 public depositCount;
    /// @notice The epoch of the last anchor; 0 while there is none.
    uint64 public epoch;
    /// @notice When the exit opened; 0 while the exchange runs.
    uint64 public exitOpenedAt;
    /// @notice The chain of all deposits: hash(hash before, index, account, units).
    bytes32 public depositsHash;
    /// @notice All that was paid out before the exit, in units.
    uint96 public paidTotal;
    /// @notice The deposits by index. Index 0 is none, with a sum of 0.
    mapping(uint64 index => Deposit deposit) public depositOf;
    /// @notice What was paid to each account.
    mapping(address account => Wallet wallet) public walletOf;

    event Deposited(
        uint64 indexed index,
        address indexed account,
        address indexed from,
        uint64 units,
        bytes32 hash
    );
    event MinimumDepositChanged(uint64 units);

    error TokenUnsuitable();
    error AccountInvalid();
    error DepositOutOfBounds(uint64 units);
    error TokenTookFee(uint256 received, uint256 expected);
    error ExitIsOpen();

    /// @dev Reverts once the exit is open: from then on money leaves by claims alone.
    modifier beforeExit() {
        if (exitOpenedAt != 0) revert ExitIsOpen();
        _;
    }

    constructor(IERC20 token_) {
        uint8 decimals = IERC20Metadata(address(token_)).decimals();
        if (decimals < 6 || decimals > 18) revert TokenUnsuitable();
        token = token_;
        scale = 10 ** (decimals - 6);
    }

    /// @notice Pays the caller's tokens in for an account. The account of this contract's own
    /// address is the insurance fund of the exchange.
    /// @dev A pause does not stop deposits: a trader may have to add margin during one.
    /// @param account Who gets the money on the exchange; it need not be the caller.
    /// @param units The amount in 1e-6, at least the minimum.
    /// @return index The place of the deposit.
    function deposit(
        address account,
        uint64 units
    ) external nonReentrant beforeExit returns (uint64 index) {
        if (account == address(0)) revert AccountInvalid();
        if (units == 0 || units < minimumDeposit || units > DEPOSIT_MAX) {
            revert DepositOutOfBounds(units);
        }
        uint256 amount = units * scale;
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert TokenTookFee(received, amount);

        uint96 cumulative = depositOf[depositCount].cumulative + units;
        index = ++depositCount;
        depositOf[index] = Deposit(account, cumulative);
        depositsHash = keccak256(abi.encode(depositsHash, index, account, units));
        emit Deposited(index, account, msg.sender, units, depositsHash);
    }

    /// @notice All that was ever deposited, in units.
    function depositTotal() public view returns (uint96) {
        return depositOf[depositCount].cumulative;
    }

    /// @notice The deposits with the indexes `first` to `first + count - 1`, as far as they exist.
    function depositsFrom(
        uint64 first,
        uint64 count
    ) external view returns (Deposit[] memory found) {
        uint64 last = depositCount;
        if (first == 0 || first > last) return found;
        uint64 length = count > last - first + 1 ? last - first + 1 : count;
        found = new Deposit[](length);
        for (uint64 i = 0; i < length; ++i) found[i] = depositOf[first + i];
    }

    function _setMinimumDeposit(uint64 units) internal {
        if (units == 0 || units > DEPOSIT_MAX) revert DepositOutOfBounds(units);
        minimumDeposit = units;
        emit MinimumDepositChanged(units);
    }

    /// @dev Books a payment. The first one after an anchor keeps what was paid before it.
    function _notePaid(address account, uint64 units) internal {
        Wallet storage wallet = walletOf[account];
        if (wallet.epoch != epoch) {
            wallet.epoch = epoch;
            wallet.paidBefore = wallet.paid;
        }
        wallet.paid += units;
        paidTotal += units;
    }
}
