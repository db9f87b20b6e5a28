import { memo } from 'react'
import { Input } from '../../../ui/input.tsx'
import { parseRank, parseShare } from './form.ts'

type KeyCellProps = {
  name: string
  label: string
  value: string
  kind: 'share' | 'rank'
  onChange: (name: string, text: string) => void
  onLeave?: () => void
}

/** One share or rank; drawn again only when its own text changes, for there may be thousands. */
export const KeyCell = memo(({ name, label, value, kind, onChange, onLeave }: KeyCellProps) => {
  const isWrong = (kind === 'share' ? parseShare(value) : parseRank(value)) === null
  return (
    <span className="inline-grid w-24 justify-items-end gap-0.5">
      <Input
        aria-label={label}
        inputMode={kind === 'share' ? 'decimal' : 'numeric'}
        autoComplete="off"
        placeholder={kind === 'share' ? '0' : '–'}
        value={value}
        aria-invalid={isWrong || undefined}
        onChange={(event) => onChange(name, event.target.value)}
        onBlur={onLeave}
        className="tabular text-right"
      />
      {isWrong && (
        <span className="text-right text-[0.8125rem] text-danger">
          {kind === 'share' ? 'De 0 à 100, par exemple 12,5' : 'Un rang de 1 à 1000'}
        </span>
      )}
    </span>
  )
})
