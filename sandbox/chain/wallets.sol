// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// The smallest smart wallet: one owner signs for it (ERC-1271) and acts through it.
contract Wallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        address signer = ecrecover(digest, v, r, s);
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function exec(address to, uint256 value, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "Wallet: not the owner");
        (bool ok, bytes memory answer) = to.call{value: value}(data);
        require(ok, "Wallet: the call failed");
        return answer;
    }
}

/// Deploys wallets to addresses that are known beforehand, as ERC-6492 signatures need it.
contract WalletFactory {
    function deploy(address owner, bytes32 salt) external returns (address) {
        address predicted = addressOf(owner, salt);
        return predicted.code.length > 0 ? predicted : address(new Wallet{salt: salt}(owner));
    }

    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(Wallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
