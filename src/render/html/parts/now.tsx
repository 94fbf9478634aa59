import { NOW_WORDS, type Now, nowDetails, resultOf } from '../../../domain/now/now.ts'
import { formatAgo } from '../../../domain/time/relative.ts'
import { formatTimestamp, type TimestampUs } from '../../../domain/time/timestamp.ts'
import type { PastView } from '../../../views/host/past-view.ts'
import { BY_VANTAGE, NEVER_PROBED, neverProbed, pastLine, placeWords } from '../../now/now-words.ts'
import { vantagesHref } from '../../site.ts'
import { minuteText } from '../../values.ts'
import { RESULT_CLASS } from './charts.tsx'

/** A moment in words, with the exact one for who points at it or reads the page by machine. */
const Ago = ({ us, nowUs }: { readonly us: TimestampUs; readonly nowUs: TimestampUs }) => (
  <time datetime={formatTimestamp(us)} title={`${minuteText(us)} UTC`}>
    {formatAgo(us, nowUs)}
  </time>
)

interface NowProps {
  readonly now: Now | null
  readonly nowUs: TimestampUs
  /** `2 of 5 routes` */
  readonly shared?: string | null
  /** What is said where nothing is true now. */
  readonly past?: PastView | null | undefined
  /** Why there is nothing to say. */
  readonly why?: string | undefined
  /** By its seller: what is not sold any more is neither well nor broken, and has no colour. */
  readonly isRetired: boolean
}

/** What is true now, under the title of a host or a route. */
export const NowLine = (props: NowProps) => (
  <>
    <StateLine {...props} />
    {props.now !== null && <PlaceLines now={props.now} />}
  </>
)

/** What a vantage is, nobody knows who comes here first: the line leads there. */
const PlaceLines = ({ now }: { readonly now: Now }) => {
  const { blocked, seen } = placeWords(now)
  return (
    <>
      {blocked !== null && <p class="now">{blocked}</p>}
      {seen !== null && (
        <p class="now">
          <a href={vantagesHref}>{BY_VANTAGE}</a>
          {`: ${seen}`}
        </p>
      )}
    </>
  )
}

const StateLine = ({ now, nowUs, shared = null, past = null, why, isRetired }: NowProps) => {
  if (now === null && past !== null) return <p class="now">{`${pastLine(past)}.`}</p>
  if (now === null) return <p class="now">{why === undefined ? `${NEVER_PROBED}.` : neverProbed(why)}</p>
  const result = resultOf(now)
  const isPaid = result === '402-correct'
  return (
    <p class={isRetired ? 'now' : `now ${RESULT_CLASS[result]}`}>
      <b>
        {`${NOW_WORDS[result]} `}
        {isPaid ? <Ago us={now.checkedUs} nowUs={nowUs} /> : minuteText(now.sinceUs)}
        {isPaid ? nowDetails(now) : ''}
      </b>
      {isPaid ? '' : nowDetails(now)}
      {shared === null ? ' ' : ` (${shared}) `}
      <span class="soft">
        {isPaid ? (
          `${minuteText(now.checkedUs)} UTC`
        ) : (
          <>
            {'Checked '}
            <Ago us={now.checkedUs} nowUs={nowUs} />
          </>
        )}
      </span>
    </p>
  )
}

/** The same in few words, for a row of a list. */
export const NowMark = ({ now, nowUs, isRetired }: Pick<NowProps, 'now' | 'nowUs' | 'isRetired'>) => {
  if (now === null) return <span class="soft">never probed</span>
  const result = resultOf(now)
  return (
    <span class={isRetired ? 'soft' : `mark ${RESULT_CLASS[result]}`}>
      {result === '402-correct'
        ? `requested payment ${formatAgo(now.checkedUs, nowUs)}`
        : `${MARK_WORDS[result]} since ${minuteText(now.sinceUs)}`}
    </span>
  )
}

const MARK_WORDS = { answers: 'answering without payment', failed: 'failing', unreachable: 'unreachable' } as const
