import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Maximize from 'lucide-react/icons/maximize-2'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { IconButton } from '../icon-button.tsx'
import { formatTimeRange } from './text.ts'
import type { TimeRange } from './types.ts'
import { getFullRange, isFullRange, shiftTimeRange, zoomTimeRange } from './zoom.ts'

type ToolbarProps = { span: TimeRange; times: number[]; onSpan: (span: TimeRange) => void }

export function Toolbar({ span, times, onSpan }: ToolbarProps) {
  const whole = isFullRange(span, times)
  const [first, last] = getFullRange(times)
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-1">
      <IconButton label="Zoom avant" icon={<ZoomIn />} onClick={() => onSpan(zoomTimeRange(span, 0.5, times))} />
      <IconButton
        label="Zoom arrière"
        icon={<ZoomOut />}
        disabled={whole}
        onClick={() => onSpan(zoomTimeRange(span, 2, times))}
      />
      <IconButton label="Tout afficher" icon={<Maximize />} disabled={whole} onClick={() => onSpan([first, last])} />
      <IconButton
        label="Période précédente"
        icon={<ChevronLeft />}
        disabled={span[0] <= first}
        onClick={() => onSpan(shiftTimeRange(span, -1, times))}
      />
      <IconButton
        label="Période suivante"
        icon={<ChevronRight />}
        disabled={span[1] >= last}
        onClick={() => onSpan(shiftTimeRange(span, 1, times))}
      />
      <span aria-live="polite" className="tabular px-2 text-[0.8125rem] text-ink-soft">
        {formatTimeRange(...span)}
      </span>
    </div>
  )
}
