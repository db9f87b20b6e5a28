import ChartIcon from 'lucide-react/icons/chart-line'
import TableIcon from 'lucide-react/icons/table'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../button.tsx'

type ChartFrameProps = {
  title: string
  /** The chart in a sentence or two, for everybody. */
  summary: string
  drawing: ReactNode
  table: ReactNode
  downloads?: ReactNode
}

/** Title, drawing, text summary, « Voir le tableau »: what every chart has around it. */
export function ChartFrame({ title, summary, drawing, table, downloads }: ChartFrameProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <figure aria-labelledby={`${id}-title`} aria-describedby={`${id}-summary`} className="grid gap-3 [&>*]:min-w-0">
      <p id={`${id}-title`} className="text-base font-semibold tracking-[-0.01em]">
        {title}
      </p>
      {drawing}
      <figcaption id={`${id}-summary`} className="prose-width text-body text-ink-soft">
        {summary}
      </figcaption>
      <div data-print="hide" className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          aria-expanded={open}
          icon={open ? <ChartIcon aria-hidden="true" /> : <TableIcon aria-hidden="true" />}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Masquer le tableau' : 'Voir le tableau'}
        </Button>
        {downloads}
      </div>
      {open && table}
    </figure>
  )
}
