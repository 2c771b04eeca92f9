// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @title A token for tests that behaves like USDT
/// @notice `transfer`, `transferFrom` and `approve` return nothing, an allowance is changed only
/// from or to zero, recipients can be blocked, transfers can be paused and can cost a fee. Anyone
/// may do all of this: it is for tests and development only, and worth nothing.
contract TestUsdt {
    string public constant name = "Test USDT";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    uint256 public totalSupply;
    /// @notice The part of each transfer that is taken, in 1/10,000.
    uint256 public feeRate;
    bool public paused;
    mapping(address account => uint256 amount) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;
    mapping(address account => bool blocked) public isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function setFeeRate(uint256 rate) external {
        require(rate <= 10_000);
        feeRate = rate;
    }

    function setPaused(bool value) external {
        paused = value;
    }

    function setBlocked(address account, bool value) external {
        isBlocked[account] = value;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= amount);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(!paused && !isBlocked[from] && !isBlocked[to]);
        uint256 fee = (amount * feeRate) / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        totalSupply -= fee;
        _afterMove(from, to);
        emit Transfer(from, to, amount - fee);
    }

    /// @dev A place for tokens that do more.
    function _afterMove(address from, address to) internal virtual {}
}
