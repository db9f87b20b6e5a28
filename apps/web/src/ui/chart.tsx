import FileDown from 'lucide-react/icons/file-down'
import ImageDown from 'lucide-react/icons/image-down'
import { useMemo, useRef } from 'react'
import { Button } from './button.tsx'
import { Curve } from './chart/curve.tsx'
import { DataTable } from './chart/data-table.tsx'
import { buildChartCsv, downloadBlob, renderChartImage, toFileName } from './chart/download.ts'
import { ChartFrame } from './chart/frame.tsx'
import type { Series, TimeRange } from './chart/types.ts'

export type { Series, TimeRange } from './chart/types.ts'

type ChartProps = {
  title: string
  summary: string
  /** Instants in Unix seconds, rising. */
  times: number[]
  series: Series[]
  unit: string
  /** From sunset to sunrise, in Unix seconds. */
  nights?: TimeRange[]
}

const NO_NIGHTS: TimeRange[] = []

/** Curves over time. Keep `times` and `series` stable between renders: new arrays draw anew. */
export function Chart({ title, summary, times, series, unit, nights = NO_NIGHTS }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const data = useMemo(() => ({ times, series, unit }), [times, series, unit])
  const saveImage = async () => {
    const image = frame.current && (await renderChartImage(frame.current, title, data))
    if (image) downloadBlob(`${toFileName(title)}.png`, image)
  }
  const saveCsv = () =>
    downloadBlob(`${toFileName(title)}.csv`, new Blob([buildChartCsv(data)], { type: 'text/csv;charset=utf-8' }))
  return (
    <div ref={frame} className="min-w-0">
      <ChartFrame
        title={title}
        summary={summary}
        drawing={<Curve data={data} nights={nights} label={title} />}
        table={<DataTable key={times[0]} data={data} label={title} />}
        downloads={
          <>
            <Button variant="secondary" size="small" icon={<ImageDown aria-hidden="true" />} onClick={saveImage}>
              Télécharger l’image (PNG)
            </Button>
            <Button variant="secondary" size="small" icon={<FileDown aria-hidden="true" />} onClick={saveCsv}>
              Télécharger les données (CSV)
            </Button>
          </>
        }
      />
    </div>
  )
}
