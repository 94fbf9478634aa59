// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./signed.sol";

struct TokenPermissions { address token; uint256 amount; }
struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }
struct Details { address to; uint256 requestedAmount; }
struct Witness { address to; address facilitator; uint256 validAfter; }

/// A stand-in for Permit2, whose code is in no package: transfers by a signature with a witness.
contract Permit2 is Signed {
    mapping(address => mapping(uint256 => bool)) private _used;

    function permitWitnessTransferFrom(
        Permit calldata permit,
        Details calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessType,
        bytes calldata signature
    ) external {
        require(block.timestamp <= permit.deadline && !_used[owner][permit.nonce], "permit");
        require(details.requestedAmount <= permit.permitted.amount, "InvalidAmount");
        _used[owner][permit.nonce] = true;
        bytes32 typehash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,", witnessType
            )
        );
        bytes32 permitted = keccak256(
            abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), permit.permitted)
        );
        bytes32 structHash = keccak256(abi.encode(typehash, permitted, msg.sender, permit.nonce, permit.deadline, witness));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                address(this)
            )
        );
        require(_signer(keccak256(abi.encodePacked(hex"1901", domain, structHash)), signature) == owner, "InvalidSigner");
        IToken(permit.permitted.token).transferFrom(owner, details.to, details.requestedAmount);
    }
}

/// A stand-in for x402's proxy of the `upto` scheme: the facilitator that the payer named says how much is taken.
contract UptoProxy {
    address public constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    event Settled();

    function settle(Permit calldata permit, uint256 amount, address owner, Witness calldata witness, bytes calldata signature)
        external
    {
        require(amount <= permit.permitted.amount, "AmountExceedsPermitted");
        require(msg.sender == witness.facilitator, "UnauthorizedFacilitator");
        bytes32 hash = keccak256(
            abi.encode(
                keccak256("Witness(address to,address facilitator,uint256 validAfter)"),
                witness.to,
                witness.facilitator,
                witness.validAfter
            )
        );
        string memory witnessType =
            "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";
        Permit2(PERMIT2).permitWitnessTransferFrom(
            permit, Details(witness.to, amount), owner, hash, witnessType, signature
        );
        emit Settled();
    }
}
