import type { SellerHost } from '../../domain/host.ts'
import { SELLERS_LEAD, SELLERS_TITLE, sellerAnswers } from '../sellers/seller-words.ts'
import { fullAddress, probingHref, type Site } from '../site.ts'
import { fenced } from './quote.ts'

export const sellersMarkdown = (site: Site, host: SellerHost | null): string =>
  `${[
    `# ${SELLERS_TITLE}`,
    SELLERS_LEAD,
    ...sellerAnswers(site, host).flatMap(({ question, answers, paste }) => [
      `## ${question}`,
      answers.map((answer) => `- ${answer}`).join('\n'),
      ...(paste === undefined ? [] : [fenced(paste)]),
    ]),
    `How this directory probes: <${fullAddress(site, probingHref)}>`,
  ].join('\n\n')}\n`
