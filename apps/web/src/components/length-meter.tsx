import { formatCount, formatNumber } from '../lib/format.ts'
import { cx } from './cx.ts'

type LengthMeterProps = { text: string; min: number; max: number }

/** What a reader counts, not what a computer stores. */
const countCharacters = (text: string) => [...text.trim()].length

const getLengthVerdict = (length: number, { min, max }: { min: number; max: number }) =>
  length < min ? 'trop court' : length > max ? 'trop long' : 'bonne longueur'

/** How long a text is beside the length aimed at; a help, never a refusal. */
export function LengthMeter({ text, min, max }: LengthMeterProps) {
  const length = countCharacters(text)
  const words = getLengthVerdict(length, { min, max })
  const good = words === 'bonne longueur'
  return (
    <div className="grid gap-1" data-meter={good ? 'good' : 'off'}>
      <span aria-hidden="true" className="relative block h-1 overflow-hidden rounded-full bg-slate-200">
        <span
          className={cx('absolute inset-y-0 left-0 rounded-full', good ? 'bg-success' : 'bg-warning')}
          style={{ width: `${Math.min(100, (length / max) * 100)}%` }}
        />
      </span>
      <p className="tabular flex flex-wrap justify-between gap-x-3 text-[0.8125rem] text-ink-soft">
        <span>
          {formatCount(length, 'caractère')}, {formatNumber(min)} à {formatNumber(max)} conseillés
        </span>
        {length > 0 && <span className={cx('font-medium', good ? 'text-success' : 'text-warning')}>{words}</span>}
      </p>
    </div>
  )
}
