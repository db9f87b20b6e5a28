import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AttentionLine } from './attention-line.tsx'
import { useAttentionEntries } from './use-matters.ts'

const VISIBLE_ENTRIES = 6

/** What needs attention today; each line leads to the screen that settles it. */
export function Attention() {
  const { matters, isPending, error, retry } = useAttentionEntries()
  const [open, setOpen] = useState(false)
  const hidden = matters.length - VISIBLE_ENTRIES
  const shown = open || hidden === 1 ? matters : matters.slice(0, VISIBLE_ENTRIES)
  return (
    <Card title="À traiter">
      {error && <ErrorState error={error} onRetry={retry} />}
      {isPending && !error && <Skeleton className="h-24 w-full" />}
      {!isPending && !error && matters.length === 0 && (
        <p className="flex items-center gap-2 text-body text-ink-soft">
          <CircleCheck aria-hidden="true" className="size-5 text-success" /> Rien n’attend votre attention.
        </p>
      )}
      {!isPending && (
        <ul className="-mx-3 -my-1 grid gap-x-6 xl:grid-cols-2">
          {shown.map((matter) => (
            <li key={`${matter.title} ${matter.url}`}>
              <AttentionLine {...matter} />
            </li>
          ))}
        </ul>
      )}
      {!isPending && hidden > 1 && (
        <Button
          variant="quiet"
          size="small"
          className="-mb-2 mt-2 -ml-3"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Replier' : `Voir ${formatCount(hidden, 'autre point', 'autres points')}`}
        </Button>
      )}
    </Card>
  )
}
