import FileDown from 'lucide-react/icons/file-down'
import ImageDown from 'lucide-react/icons/image-down'
import { type ReactNode, useRef } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { DataTable } from '../chart/data-table.tsx'
import {
  buildChartCsv,
  downloadBlob,
  renderChartImage,
  renderSvgImage,
  saveCsv,
  toFileName,
} from '../chart/download.ts'
import { ChartFrame } from '../chart/frame.tsx'
import type { ChartData } from '../chart/types.ts'

type ExplorerFrameProps = {
  title: string
  summary: string
  /** What is shown, no more: the table and the files hold the same. */
  shown: ChartData
  knownUntil?: number
  children: ReactNode
}

const DRAWING_SELECTOR = 'svg[data-drawing]'

/** Summary, table and downloads around a curve or bars. */
export function ExplorerFrame({ title, summary, shown, knownUntil, children }: ExplorerFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const saveImage = async () => {
    const vectors = frame.current?.querySelector<SVGSVGElement>(DRAWING_SELECTOR)
    const image = vectors
      ? await renderSvgImage(vectors, title, shown)
      : frame.current && (await renderChartImage(frame.current, title, shown))
    if (image) downloadBlob(`${toFileName(title)}.png`, image)
  }
  const until = knownUntil === undefined ? '' : ` Données reçues jusqu’au ${formatDateTime(knownUntil * 60_000)}.`
  return (
    <div ref={frame} className="min-w-0">
      <ChartFrame
        title={title}
        summary={summary + until}
        drawing={<div className="grid gap-3 [&>*]:min-w-0">{children}</div>}
        table={<DataTable key={shown.times[0]} data={shown} label={title} />}
        downloads={
          <>
            <Button variant="secondary" size="small" icon={<ImageDown aria-hidden="true" />} onClick={saveImage}>
              Image (PNG)
            </Button>
            <Button
              variant="secondary"
              size="small"
              icon={<FileDown aria-hidden="true" />}
              onClick={() => saveCsv(title, buildChartCsv(shown))}
            >
              Données (CSV)
            </Button>
          </>
        }
      />
    </div>
  )
}
