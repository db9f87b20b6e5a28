import type { NextStep } from '@voisol/contract/operations'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { z } from 'zod'
import { Link } from '../../../ui/link.tsx'

type NextStepsProps = { steps: z.output<typeof NextStep>[]; onLeave?: () => void }

/** What stands between the operation and its start, each with the screen that settles it. */
export const NextSteps = ({ steps, onLeave }: NextStepsProps) => (
  <ul className="grid gap-2.5">
    {steps.map(({ label, done, url }) => (
      <li key={label} className="flex items-start gap-2.5 text-body">
        {done ? (
          <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
        ) : (
          <Circle aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-muted" />
        )}
        <span className={done ? 'text-ink-soft' : 'font-medium'}>
          {!done && url ? (
            <Link to={url} onClick={onLeave} className="text-link">
              {label}
            </Link>
          ) : (
            label
          )}
          <span className="sr-only">{done ? ', fait' : ', à faire'}</span>
        </span>
      </li>
    ))}
  </ul>
)
