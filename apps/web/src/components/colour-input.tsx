import { type ComponentProps, useState } from 'react'
import { Input } from './input.tsx'

const HEX_COLOUR = /^#[0-9a-f]{6}$/i

/** The code is typed or pasted, as a brand guide gives it; the square shows it. */
export function ColourInput({
  initial,
  shown,
  onChange,
  ...rest
}: ComponentProps<'input'> & {
  initial: string
  /** What it holds now, where something else than typing may change it. */
  shown?: string
}) {
  const [typed, setColour] = useState(initial)
  const colour = shown ?? typed
  return (
    <span className="relative block">
      <Input
        {...rest}
        className="pl-12 tabular"
        maxLength={7}
        spellCheck={false}
        onChange={(event) => {
          setColour(event.target.value)
          onChange?.(event)
        }}
      />
      <span
        aria-hidden="true"
        className="absolute top-1/2 left-2 size-6 -translate-y-1/2 rounded-md border border-line-strong"
        style={{ backgroundColor: HEX_COLOUR.test(colour) ? colour : 'transparent' }}
      />
    </span>
  )
}
