// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./signed.sol";

/// A stand-in for Tempo's channel reserve (TIP-1034), which is part of the chain itself and has no code. Two things differ:
/// payers allow it their token first, and what the chain knows of the opening transaction is told to it before.
contract TempoChannels is Signed {
    struct Descriptor {
        address payer;
        address payee;
        address operator;
        address token;
        bytes32 salt;
        address authorizedSigner;
        bytes32 expiringNonceHash;
    }
    struct State { uint96 settled; uint96 deposit; uint32 closeRequestedAt; }

    mapping(bytes32 => State) private _states;
    bytes32 private _opening;

    event ChannelOpened(
        bytes32 indexed channelId,
        address indexed payer,
        address indexed payee,
        address operator,
        address token,
        address authorizedSigner,
        bytes32 salt,
        bytes32 expiringNonceHash,
        uint96 deposit
    );
    event Settled(
        bytes32 indexed channelId,
        address indexed payer,
        address indexed payee,
        uint96 cumulativeAmount,
        uint96 deltaPaid,
        uint96 newSettled
    );
    event ChannelClosed(
        bytes32 indexed channelId, address indexed payer, address indexed payee, uint96 settledToPayee, uint96 refundedToPayer
    );

    function tell(bytes32 opening) external {
        _opening = opening;
    }
    function idOf(Descriptor memory one) public view returns (bytes32) {
        return keccak256(
            abi.encode(
                one.payer,
                one.payee,
                one.operator,
                one.token,
                one.salt,
                one.authorizedSigner,
                one.expiringNonceHash,
                address(this),
                block.chainid
            )
        );
    }
    function getChannelState(bytes32 id) external view returns (State memory) {
        return _states[id];
    }
    function getChannel(Descriptor calldata one) external view returns (Descriptor memory, State memory) {
        return (one, _states[idOf(one)]);
    }
    function open(address payee, address operator, address token, uint96 deposit, bytes32 salt, address authorizedSigner)
        external
        returns (bytes32 id)
    {
        Descriptor memory one = Descriptor(msg.sender, payee, operator, token, salt, authorizedSigner, _opening);
        id = idOf(one);
        require(deposit > 0 && _states[id].deposit == 0, "ChannelAlreadyExists");
        _states[id].deposit = deposit;
        IToken(token).transferFrom(msg.sender, address(this), deposit);
        emit ChannelOpened(id, msg.sender, payee, operator, token, authorizedSigner, salt, _opening, deposit);
    }
    function settle(Descriptor calldata one, uint96 cumulative, bytes calldata signature) external {
        bytes32 id = idOf(one);
        State storage state = _states[id];
        require(msg.sender == one.payee && cumulative > state.settled && cumulative <= state.deposit, "settle");
        _checkVoucher(one, id, cumulative, signature);
        uint96 delta = cumulative - state.settled;
        state.settled = cumulative;
        IToken(one.token).transfer(one.payee, delta);
        emit Settled(id, one.payer, one.payee, cumulative, delta, cumulative);
    }
    function close(Descriptor calldata one, uint96 cumulative, uint96 capture, bytes calldata signature) external {
        bytes32 id = idOf(one);
        State memory state = _states[id];
        require(msg.sender == one.payee && capture >= state.settled && capture <= cumulative, "CaptureAmountInvalid");
        require(capture <= state.deposit, "AmountExceedsDeposit");
        if (capture > state.settled) _checkVoucher(one, id, cumulative, signature);
        delete _states[id];
        uint96 refund = state.deposit - capture;
        if (capture > state.settled) IToken(one.token).transfer(one.payee, capture - state.settled);
        if (refund > 0) IToken(one.token).transfer(one.payer, refund);
        emit ChannelClosed(id, one.payer, one.payee, capture, refund);
    }
    function _checkVoucher(Descriptor calldata one, bytes32 id, uint96 cumulative, bytes calldata signature) private view {
        bytes32 voucher = keccak256(
            abi.encode(keccak256("Voucher(bytes32 channelId,uint96 cumulativeAmount)"), id, cumulative)
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _domain("TIP20 Channel Reserve", "1"), voucher));
        address by = one.authorizedSigner == address(0) ? one.payer : one.authorizedSigner;
        require(_signer(digest, signature) == by, "InvalidSignature");
    }
}
