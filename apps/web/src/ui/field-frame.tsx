import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'

type FieldFrameProps = {
  id: string
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  error?: string
  children: ReactNode
}

/** Label above, hint, control, error beside it; for controls outside a form too. */
export const FieldFrame = ({ id, label, optional, hint, error, children }: FieldFrameProps) => (
  <div className="grid content-start gap-1.5">
    <label htmlFor={id} className="text-body font-medium">
      <span data-label="">{label}</span>
      {optional && <span className="font-normal text-ink-soft"> (optionnel)</span>}
    </label>
    {hint && (
      <p id={`${id}-hint`} className="-mt-1 text-[0.8125rem] text-ink-soft">
        {hint}
      </p>
    )}
    {children}
    {error && (
      <p id={`${id}-error`} className="flex items-start gap-1.5 text-[0.8125rem] text-danger">
        <CircleAlert aria-hidden="true" className="mt-px size-4" />
        {error}
      </p>
    )}
  </div>
)
