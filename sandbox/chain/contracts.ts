import { parseAbi } from 'viem'

// Made by scripts/compile-contracts.ts from the .sol files beside this one.

export * from './contract-code.ts'

export const dollarAbi = parseAbi([
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function CANCEL_AUTHORIZATION_TYPEHASH() external view returns (bytes32)',
  'function DOMAIN_SEPARATOR() external view returns (bytes32)',
  'function RECEIVE_WITH_AUTHORIZATION_TYPEHASH() external view returns (bytes32)',
  'function TRANSFER_WITH_AUTHORIZATION_TYPEHASH() external view returns (bytes32)',
  'function allowance(address, address) external view returns (uint256)',
  'function approve(address spender, uint256 value) external returns (bool)',
  'function authorizationState(address, bytes32) external view returns (bool)',
  'function balanceOf(address) external view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature) external',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external',
  'function decimals() external view returns (uint8)',
  'function mint(address to, uint256 value) external',
  'function name() external view returns (string)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) external',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external',
  'function symbol() external view returns (string)',
  'function totalSupply() external view returns (uint256)',
  'function transfer(address to, uint256 value) external returns (bool)',
  'function transferFrom(address from, address to, uint256 value) external returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) external',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external',
  'function version() external view returns (string)',
])

export const walletAbi = parseAbi([
  'constructor(address owner_)',
  'function exec(address to, uint256 value, bytes data) external returns (bytes)',
  'function isValidSignature(bytes32 digest, bytes signature) external view returns (bytes4)',
  'function owner() external view returns (address)',
  'receive() external payable',
])

export const factoryAbi = parseAbi([
  'function addressOf(address owner, bytes32 salt) external view returns (address)',
  'function deploy(address owner, bytes32 salt) external returns (address)',
])

export const multicallAbi = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) external payable returns ((bool success, bytes returnData)[] results)',
])

export const pathUsdAbi = parseAbi([
  'error InsufficientAllowance()',
  'error InsufficientBalance(uint256 available, uint256 required, address token)',
  'error InvalidRecipient()',
  'error Unauthorized()',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event TransferWithMemo(address indexed from, address indexed to, uint256 amount, bytes32 indexed memo)',
  'function allowance(address, address) external view returns (uint256)',
  'function approve(address spender, uint256 amount) external returns (bool)',
  'function balanceOf(address) external view returns (uint256)',
  'function currency() external view returns (string)',
  'function decimals() external view returns (uint8)',
  'function give(address to, uint256 amount) external',
  'function holdFee(address payer, uint256 most) external',
  'function name() external view returns (string)',
  'function paused() external pure returns (bool)',
  'function settleFee(address payer, uint256 most, uint256 used) external',
  'function symbol() external view returns (string)',
  'function totalSupply() external view returns (uint256)',
  'function transfer(address to, uint256 amount) external returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) external returns (bool)',
  'function transferFromWithMemo(address from, address to, uint256 amount, bytes32 memo) external returns (bool)',
  'function transferPolicyId() external pure returns (uint64)',
  'function transferWithMemo(address to, uint256 amount, bytes32 memo) external',
])
