import Check from 'lucide-react/icons/check'
import type { ComponentType } from 'react'
import type { LinkAction } from './actions.tsx'
import { MarkedText } from './words.tsx'

export type Feature = {
  title: string
  text: string
  points?: string[]
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  illustration?: ComponentType<{ className?: string }>
  more?: LinkAction
}
export const FeaturePoints = ({ points }: { points: string[] }) => (
  <ul className="mt-4 grid gap-2 text-[0.9375rem]">
    {points.map((point) => (
      <li key={point} className="flex gap-2.5">
        <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
        <span>
          <MarkedText text={point} />
        </span>
      </li>
    ))}
  </ul>
)
