import type { ReportBlock } from '@voisol/contract/report-blocks'

const [WIDTH, HEIGHT] = [104, 147]
const BARS = [7, 9, 13, 16, 19, 21, 20, 18, 14, 10, 8, 6]
type ThumbnailPart =
  | { kind: 'figures'; count: number }
  | { kind: 'text' }
  | { kind: 'table' }
  | { kind: 'chart'; source: string }

/** Figures that follow one another are one row of the page, as on the paper. */
function toThumbnailParts(blocks: ReportBlock[]): ThumbnailPart[] {
  const parts: ThumbnailPart[] = []
  for (const block of blocks) {
    const last = parts.at(-1)
    if (block.kind === 'figure' && last?.kind === 'figures') last.count++
    else if (block.kind === 'figure') parts.push({ kind: 'figures', count: 1 })
    else if (block.kind === 'chart') parts.push({ kind: 'chart', source: block.source })
    else parts.push({ kind: block.kind })
  }
  return parts
}
const PART_HEIGHTS = { figures: 14, chart: 30, table: 24, text: 14 }
const getPartHeight = (part: ThumbnailPart) =>
  part.kind === 'figures' ? Math.ceil(part.count / 3) * PART_HEIGHTS.figures + 3 : PART_HEIGHTS[part.kind] + 4

const TextLines = ({ y, widths }: { y: number; widths: number[] }) =>
  widths.map((width, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
    <rect key={at} x={10} y={y + at * 4} width={width} height={1.6} rx={0.8} fill="#cbd5e1" />
  ))

function ThumbnailShape({ part, y }: { part: ThumbnailPart; y: number }) {
  if (part.kind === 'text') return <TextLines y={y} widths={[84, 80, 62]} />
  if (part.kind === 'table') return <TextLines y={y} widths={[84, 84, 84, 84, 84]} />
  if (part.kind === 'figures')
    return Array.from({ length: part.count }, (_, at) => {
      const [x, top] = [10 + (at % 3) * 28.5, y + Math.floor(at / 3) * PART_HEIGHTS.figures]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tiles have no name but their place
        <g key={at}>
          <rect x={x} y={top} width={27} height={12} rx={1.5} fill="#f8fafc" stroke="#e2e8f0" strokeWidth={0.6} />
          <rect x={x + 3} y={top + 3} width={10} height={1.2} rx={0.6} fill="#cbd5e1" />
          <rect x={x + 3} y={top + 6} width={16} height={2.6} rx={0.8} fill="#0f172a" />
        </g>
      )
    })
  if (part.source === 'day')
    return (
      <path
        d={`M10 ${y + 26} C34 ${y + 26} 36 ${y + 4} 52 ${y + 4} S70 ${y + 26} 94 ${y + 26}`}
        fill="none"
        stroke="#f59e0b"
        strokeWidth={1.6}
      />
    )
  if (part.source === 'shares')
    return [70, 52, 40, 31].map((width, at) => (
      <rect key={width} x={10} y={y + at * 7} width={width} height={4.5} rx={1} fill="#f59e0b" />
    ))
  return BARS.map((height, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the twelve months, in order
    <rect key={at} x={11 + at * 7} y={y + 26 - height} width={4.5} height={height} rx={0.8} fill="#f59e0b" />
  ))
}

/** The page that the blocks make, small; what does not fit stands on the next ones. */
export function ReportThumbnail({ blocks }: { blocks: ReportBlock[] }) {
  let y = 26
  const placed = toThumbnailParts(blocks).map((part, at) => {
    const placedPart = { part, y, key: `${at} ${part.kind}` }
    y += getPartHeight(part)
    return placedPart
  })
  const visibleParts = placed.filter((one) => one.y + getPartHeight(one.part) <= HEIGHT - 2)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-[9.2rem] w-[6.5rem] shrink-0 rounded-[0.25rem] border border-line bg-white shadow-card"
    >
      <rect x={10} y={9} width={5} height={5} rx={1.2} fill="#1e3a8a" />
      <rect x={18} y={10.5} width={22} height={2} rx={1} fill="#64748b" />
      <rect x={10} y={18} width={52} height={3} rx={1} fill="#0f172a" />
      {visibleParts.map(({ key, part, y: top }) => (
        <ThumbnailShape key={key} part={part} y={top} />
      ))}
    </svg>
  )
}
