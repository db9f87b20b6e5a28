import { cloneElement, type ReactElement, useEffect } from 'react'
import { watchTips } from './tip.ts'
import type { TipSide } from './tip-place.ts'

/** A reminder on hover and focus; never the only place where something is said. */
export function Tooltip({
  label,
  side = 'top',
  children,
}: {
  label: string
  side?: TipSide
  children: ReactElement<object>
}) {
  useEffect(watchTips, [])
  return cloneElement(children, { 'data-tip': label, 'data-tip-side': side } as object) // attributes any element takes
}
