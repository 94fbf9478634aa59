import { type Hex, parseAbi } from 'viem'
import { networkKind } from '../../nodes.ts'

/** Of x402's batch settlement: at one address on every network. */
export const BATCH_SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
/** Of mpp sessions: Tempo's own, part of the chain. */
export const TEMPO_CHANNELS: Hex = '0x4d50500000000000000000000000000000000000'
/** Of the first version of mpp sessions, which sellers still take. */
const FIRST_TEMPO_CHANNELS: Readonly<Record<string, Hex>> = {
  'tempo:4217': '0x33b901018174DDabE4841042ab76ba85D4e24f25',
  'tempo:42431': '0xe1c4d3dce17bc111181ddf716f75bae49e61a336',
}

/**
 * The contracts on a network that hold what buyers deposit and pay sellers out of it. Only of these a log says who paid:
 * anybody can deploy one that names whomever it likes.
 */
export function escrowsOn(network: string): readonly Hex[] {
  if (networkKind(network) === 'eip155') return [BATCH_SETTLEMENT]
  const first = FIRST_TEMPO_CHANNELS[network]
  return first === undefined ? [TEMPO_CHANNELS] : [TEMPO_CHANNELS, first]
}

const CONFIG =
  'struct Config { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }'

export const BATCH_EVENTS = parseAbi([
  CONFIG,
  'event ChannelCreated(bytes32 indexed channelId, Config config)',
  'event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance)',
  'event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed)',
  'event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount)',
  'event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount)',
])

export const BATCH_CALLS = parseAbi([
  CONFIG,
  'struct Voucher { Config channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function deposit(Config config, uint128 amount, address collector, bytes collectorData)',
  'function claim(VoucherClaim[] voucherClaims)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function multicall(bytes[] data)',
])

const CHANNEL = 'bytes32 indexed channelId, address indexed payer, address indexed payee'

/** Amounts are left to the token's own Transfer logs. The second of each name is of the first version. */
export const TEMPO_EVENTS = parseAbi([
  `event ChannelOpened(${CHANNEL}, address operator, address token, address authorizedSigner, bytes32 salt, bytes32 expiringNonceHash, uint96 deposit)`,
  `event ChannelOpened(${CHANNEL}, address token, address authorizedSigner, bytes32 salt, uint256 deposit)`,
  `event TopUp(${CHANNEL}, uint96 additionalDeposit, uint96 newDeposit)`,
  `event TopUp(${CHANNEL}, uint256 additionalDeposit, uint256 newDeposit)`,
  `event Settled(${CHANNEL}, uint96 cumulativeAmount, uint96 deltaPaid, uint96 newSettled)`,
  `event Settled(${CHANNEL}, uint256 cumulativeAmount, uint256 deltaPaid, uint256 newSettled)`,
  `event ChannelClosed(${CHANNEL}, uint96 settledToPayee, uint96 refundedToPayer)`,
  `event ChannelClosed(${CHANNEL}, uint256 settledToPayee, uint256 refundedToPayer)`,
])
