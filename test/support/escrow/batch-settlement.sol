// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./signed.sol";

/// A stand-in for x402's contract of the `batch-settlement` scheme, whose code is in no package: the calls that the kit
/// makes, the events that the contract documents, plain wallets only. No constructor, so that it can be planted anywhere.
contract BatchSettlement is Signed {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }
    struct Channel { uint128 balance; uint128 totalClaimed; }
    struct Withdrawal { uint128 amount; uint40 initiatedAt; }
    struct Receiver { uint128 totalClaimed; uint128 totalSettled; }
    struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }
    struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => Receiver)) public receivers;

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", _domain("x402 Batch Settlement", "1"), structHash));
    }
    function getChannelId(ChannelConfig memory config) public view returns (bytes32) {
        return _digest(
            keccak256(
                abi.encode(
                    keccak256(
                        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
                    ),
                    config
                )
            )
        );
    }
    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 at = 0; at < data.length; at++) {
            (bool ok, bytes memory result) = address(this).delegatecall(data[at]);
            require(ok, "multicall");
            results[at] = result;
        }
    }
    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData) external {
        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        if (channel.balance == 0) emit ChannelCreated(id, config);
        channel.balance += amount;
        Collector(collector).collect(config.payer, config.token, amount, id, collectorData);
        emit Deposited(id, msg.sender, amount, channel.balance);
    }
    function claim(VoucherClaim[] calldata claims) external {
        for (uint256 at = 0; at < claims.length; at++) {
            ChannelConfig calldata config = claims[at].voucher.channel;
            require(msg.sender == config.receiver || msg.sender == config.receiverAuthorizer, "NotAuthorizedToClaim");
            _claim(claims[at]);
        }
    }
    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata signature) external {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 at = 0; at < claims.length; at++) {
            entries[at] = keccak256(
                abi.encode(
                    keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"),
                    getChannelId(claims[at].voucher.channel),
                    claims[at].voucher.maxClaimableAmount,
                    claims[at].totalClaimed
                )
            );
        }
        bytes32 typehash = keccak256(
            "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
        );
        bytes32 digest = _digest(keccak256(abi.encode(typehash, keccak256(abi.encodePacked(entries)))));
        require(_signer(digest, signature) == claims[0].voucher.channel.receiverAuthorizer, "InvalidSignature");
        for (uint256 at = 0; at < claims.length; at++) _claim(claims[at]);
    }
    function _claim(VoucherClaim calldata one) private {
        ChannelConfig calldata config = one.voucher.channel;
        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        if (one.totalClaimed <= channel.totalClaimed) return;
        require(one.totalClaimed <= one.voucher.maxClaimableAmount, "ClaimExceedsCeiling");
        require(one.totalClaimed <= channel.balance, "ClaimExceedsBalance");
        bytes32 digest = _digest(
            keccak256(
                abi.encode(
                    keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)"), id, one.voucher.maxClaimableAmount
                )
            )
        );
        address by = config.payerAuthorizer == address(0) ? config.payer : config.payerAuthorizer;
        require(_signer(digest, one.signature) == by, "InvalidSignature");
        uint128 amount = one.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = one.totalClaimed;
        receivers[config.receiver][config.token].totalClaimed += amount;
        emit Claimed(id, msg.sender, amount, one.totalClaimed);
    }
    function settle(address receiver, address token) external {
        Receiver storage state = receivers[receiver][token];
        uint128 amount = state.totalClaimed - state.totalSettled;
        if (amount == 0) return;
        state.totalSettled = state.totalClaimed;
        IToken(token).transfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }
    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature) external {
        bytes32 id = getChannelId(config);
        require(nonce == refundNonce[id]++, "InvalidRefundNonce");
        bytes32 digest = _digest(
            keccak256(abi.encode(keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)"), id, nonce, amount))
        );
        require(_signer(digest, signature) == config.receiverAuthorizer, "InvalidSignature");
        Channel storage channel = channels[id];
        uint128 left = channel.balance - channel.totalClaimed;
        uint128 refunded = amount < left ? amount : left;
        channel.balance -= refunded;
        emit Refunded(id, msg.sender, refunded);
        IToken(config.token).transfer(config.payer, refunded);
    }
}

/// Fetches a deposit by the payer's EIP-3009 signature.
contract Collector {
    function collect(address payer, address token, uint128 amount, bytes32 id, bytes calldata data) external {
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(data, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(id, salt));
        IToken(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        IToken(token).transfer(msg.sender, amount);
    }
}
