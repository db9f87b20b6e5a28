import { useCallback, useRef, useState } from 'react'
import { DateInput, type DateInputProps } from './date-input.tsx'
import type { ControlProps } from './field.tsx'

type DateFieldProps = { control: ControlProps } & Pick<DateInputProps, 'of' | 'autoFocus' | 'readOnly'>

/** A date of a form: the form holds the day itself and never sees how it is written. */
export function DateField({
  control: { ref, onChange, onBlur, name, min: _, max: _most, ...rest },
  ...more
}: DateFieldProps) {
  const [value, setValue] = useState('')
  const valueRef = useRef('')
  const latest = useRef(ref)
  latest.current = ref
  const attach = useCallback(
    (element: HTMLInputElement | null) => {
      if (!element) return latest.current(null)
      latest.current({
        name,
        type: 'text',
        focus: () => element.focus(),
        get value() {
          return valueRef.current
        },
        set value(next: string) {
          valueRef.current = next ?? ''
          setValue(valueRef.current)
        },
      })
    },
    [name],
  )
  return (
    <DateInput
      {...rest}
      {...more}
      ref={attach}
      name={name}
      value={value}
      onValue={(next) => {
        valueRef.current = next
        setValue(next)
        void onChange({ target: { name, value: next }, type: 'change' })
      }}
      // A field that is left tells its value too: without it the form would take it for empty.
      onBlur={() => void onBlur({ target: { name, value: valueRef.current }, type: 'blur' })}
    />
  )
}
