import { decimalsOf } from './asset.ts'
import { DOLLAR_NETWORKS, type KnownNetwork, networkFinder, networksIn } from './dollar-networks.ts'

/**
 * The networks that are known beside those that browsers load. A line each, in the same form: its id, its names, and behind `$` its
 * dollars. These are Circle's USDC where Circle issues it, and the dollars that the kits of x402 count prices in where a seller
 * says no more than `$0.01`; some have 7 or 18 decimals. On X Layer they are also the USDT0 and USDG that its own facilitator takes. A
 * chain's number stands for its id of `eip155`. Tempo is an EVM chain with a namespace of its own: `eip155:4217` is `tempo:4217`.
 * Algorand's id is the beginning of its genesis hash; some write all of it.
 */
const WITH_MONEY = `14,Flare$0xe7cd86e13ac4309349f30b3435a9d337750fc82d
25,Cronos$0x3d7f2c478aafdb65542bcb44bceec05849999d2d,0xf951ec28187d9e5ca673da8fe6757e6f0be5f77c
50,XDC,xdc network$0xfa2958cb79b0491cc627c1557f441ef849ca8eb1
100,Gnosis,gnosis chain,xdai
130,Unichain$0x078d782b760474a361dda0af3839290b0ef57ad6
146,Sonic$0x29219dd400f2bf60e5a23d13be72b486d4038894
196,X Layer$0xb6ceceab302e2e4948951ee7843fc24e92933061,0x74b7f16337b8972027f6196a17a631ac6de26d22,0x779ded0c9e1022225f8e0630b35a9b54be713736,0x4ae46a509f6b1d9056937ba4500cb143933d2dc8
324,ZKsync Era,zksync$0x1d17cbcf0d6d143135ae902365d2e5e2a16538d4
988,Stable$0x779ded0c9e1022225f8e0630b35a9b54be713736
999,HyperEVM$0xb88339cb7199b77e23db6e890353e22632ba630f
1329,Sei,sei evm$0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392
1514,Story$0xf1815bd50389c46847f0bda824ec8da914045d14
1672,Pharos$0xc879c018db60520f4355c26ed1a6d572cdac1815
1776,Injective,injective evm$0xa00c59ff5a080d2b954d0c75e46e22a0c371235a
2741,Abstract$0x84a71ccd554cc1b02749b35d22f684cc8ec987e1
2818,Morph$0xcfb1186f4e93d60e60a8bdd997427d1f33bc372b
3338,peaq$0xbba60da06c2c5424f03f7434542280fcad453d10
4326,MegaETH$0xfafddbb3fc7688494971a79cc65dca3ef82079e7/18
4663,Robinhood Chain,robinhood
4689,IoTeX$0xcdf79194c6c285077a58da47641d4dbe51f63542
5000,Mantle
5042,Arc$0x3600000000000000000000000000000000000000
9745,Plasma$0x2d661c89d812261039af9764eceaaee884f5f67f
31612,Mezo$0xdd468a1ddc392dcdbef6db6e34e89aa338f9f186/18
36900,ADI Chain,adi$0x9cb8142aebbcdc60af7c97af897a67a8f3ca71c2
38833,Igra$0xa5b8bf902b2844da17d4506cc827f7f1681735e7
41923,EDU Chain$0x12a272a581fee5577a5dfa371afeb4b2f3a8c2f8
42220,Celo$0xceba9300f2b948710d2653dd7b07f33a8b32118c,0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e,0xd2ab3c9a02dbbab236bfec45d1d755df4267f771
57073,Ink$0x2d270e6886d130d724215a266106e6832161eaed
59144,Linea$0x176211869ca2b568f2a7d4ee941e073a821ee1ff
80094,Berachain
81224,Codex$0xd996633a415985dbd7d6d12f4a4343e31f5037cf
98866,Plume$0x222365ef19f7947e5484218551b56bb3965aa7af
190415,HPP$0x401ecb1d350407f13ba348573e5630b83638e30d
534352,Scroll$0x06efdbff2a14a7c8e15944d1f4a48f9f95f663a4
723487,Radius$0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb
1440000,XRPL EVM
1187947933,SKALE Base$0x85889c8c714505e0c94b30fcfcf64fe3ac8fcb20
stellar:pubnet,Stellar,stellar public$CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75/7
tron:728126428,Tron,tron:0x2b6653dc$TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k,Algorand,algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=$31566704
aptos:1,Aptos$0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b
sui:mainnet,Sui,sui:35834a8a$0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC
near:mainnet,NEAR,near protocol$17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1
hedera:mainnet,Hedera$0.0.456858
tvm:-239,TON$0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe
xrpl:0,XRPL,xrp ledger
keeta:21378,Keeta,keeta:main
cardano:mainnet,Cardano,cip34:1-764824073
ccd:9dd9ca4d19e9393877d2c44b70f89acb,Concordium,ccd:mainnet`

const TESTS = `51,XDC Apothem,apothem,xdc testnet$0xb5ab69f7bbada22b28e79c8ffaece55ef1c771d4
97,BNB Smart Chain Testnet,bsc testnet,bnb testnet
300,ZKsync Sepolia$0xae045de5638162fa134807cb558e15a3f5a7f853
338,Cronos Testnet$0xeb33dc5fac03833e132593659e1de7256ab59794,0xc01efaaf7c5c61bebfaeb358e1161b537b8bc0e0
998,HyperEVM Testnet$0x2b3370ee501b4a559b57d449569354196457d8ab
1301,Unichain Sepolia$0x31d0220469e10c4e71834a79b1f276d740d3768f
1328,Sei Testnet$0x4fcf1784b31630811181f670aea7a7bef803eaed
1439,Injective Testnet$0x0c382e685bbeefe5d3d9c29e29e341fee8e84c5d
1952,X Layer Testnet$0xdec90b78111ba2fc6fc6d84d8b9ec159a2d4b9b3
2201,Stable Testnet$0x78cf24370174180738c5b8e352b6d14c83a6c9a9
2910,Morph Hoodi,morph testnet$0x7433b41c6c5e1d58d4da99483609520255ab661b
4801,World Chain Sepolia,world sepolia$0x66145f38cbac35ca6f1dfb4914df98f1614aea88
5003,Mantle Sepolia
9746,Plasma Testnet$0xe67fb267022cba8064dd388cc2fed724f3120d9d
10143,Monad Testnet$0x534b2f3a21130d7a60830c2df862319e593943a3
11124,Abstract Testnet$0xe4c7fbb0a626ed208021ccaba6be1566905e2dfc
14601,Sonic Testnet$0x0ba304580ee7c9a980cf72e55f5ed2e9fd30bc51
31611,Mezo Testnet$0x118917a40faf1cd7a13db0ef56c86de7973ac503/18
44787,Celo Alfajores,alfajores$0x2f25deb3848c207fc8e0c34035b3ba7fc157602b
46630,Robinhood Chain Testnet,robinhood testnet
57054,Sonic Blaze$0xa4879fed32ecbef99399e5cbc247e533421c4ec6
59141,Linea Sepolia$0xfece4462d57bd51a6a552365a011b95f0e16d9b7
72344,Radius Testnet$0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb
98867,Plume Testnet$0xcb5f30e335672893c7eb944b374c196392c19d18
181228,HPP Sepolia$0x401ecb1d350407f13ba348573e5630b83638e30d
534351,Scroll Sepolia
688689,Pharos Atlantic,pharos testnet$0xcfc8330f4bcab529c625d12781b1c19466a9fc8b
713715,Sei Devnet
763373,Ink Sepolia$0xfabab97dce620294d2b0b0e46c68964e326300ac
812242,Codex Testnet$0x6d7f141b6819c2c9cc2f818e6ad549e7ca090f8f
5042002,Arc Testnet$0x3600000000000000000000000000000000000000
11142220,Celo Sepolia$0x01c5c0122039549ad1493b8220cabedd739bc44e
324705682,SKALE Base Sepolia$0x2e08028e3c4c2356572e096d8ef835cd5c6030bd
solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z,Solana Testnet,sol testnet$4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU
stellar:testnet,Stellar Testnet$CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA/7
tron:3448148188,Tron Nile,nile,tron:0xcd8690dc
tron:2494104990,Tron Shasta,shasta,tron:0x94a9059e
algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe,Algorand Testnet,algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=$10458941
aptos:2,Aptos Testnet$0x69091fbab5f7d635ee7ac5098cf0c1efbe31d68fec0f2cd565e8d168daf52832
sui:testnet,Sui Testnet,sui:4c78adac$0xa1ec7fc00a6f40db9693ad1415d0c193ad3906494428cf252621037bd7117e29::usdc::USDC
near:testnet,NEAR Testnet$3e2210e1184b45b64c8a434c0a7e7b23cc04ea7eb7a6c3c32520d03d4afcb8af
hedera:testnet,Hedera Testnet$0.0.429274
tvm:-3,TON Testnet
xrpl:1,XRPL Testnet
keeta:1413829460,Keeta Testnet,keeta:test
cardano:preprod,Cardano Preprod,cip34:0-1
cardano:preview,Cardano Preview,cip34:0-2
ccd:4221332d34e1694168c2a0c0b3fd0f27,Concordium Testnet,ccd:testnet`

/** More dollars of networks that browsers load with their USDC alone. */
const BESIDE_USDC = networksIn(
  `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp$Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB,2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH,2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo,CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH
solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1$4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7,CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM`,
  false,
)

const withAll = (network: KnownNetwork): KnownNetwork => {
  const more = BESIDE_USDC.find(({ id }) => id === network.id)
  return more === undefined ? network : { ...network, dollars: new Map([...network.dollars, ...more.dollars]) }
}

/** Every network that is known. */
export const KNOWN_NETWORKS: readonly KnownNetwork[] = [
  ...DOLLAR_NETWORKS.map(withAll),
  ...networksIn(WITH_MONEY, false),
  ...networksIn(TESTS, true),
]

/** Finds a network by its id, and by each of its names, in any writing. */
export const knownNetwork = networkFinder(KNOWN_NETWORKS)

/** How many decimals one dollar of this asset has; `undefined` unless it is a dollar that is known on that very network. */
export const dollarDecimals = (network: string, asset: string): number | undefined =>
  decimalsOf(network, asset, knownNetwork)
