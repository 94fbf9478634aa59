import { SELLER_ANSWERS, SELLERS_LEAD, SELLERS_TITLE } from '../sellers/seller-words.ts'
import { fullAddress, probingHref, type Site } from '../site.ts'

export const sellersMarkdown = (site: Site): string =>
  `${[
    `# ${SELLERS_TITLE}`,
    SELLERS_LEAD,
    ...SELLER_ANSWERS.flatMap(([question, answers]) => [
      `## ${question}`,
      answers.map((answer) => `- ${answer}`).join('\n'),
    ]),
    `How this directory probes: <${fullAddress(site, probingHref)}>`,
  ].join('\n\n')}\n`
