import type { FillPattern } from './types.ts'

export type BarSeries = { label: string; color: string; pattern?: FillPattern }

/** A fill that differs by its shape as well as by its colour. */
export const BarPattern = ({ id, series }: { id: string; series: BarSeries }) => (
  <pattern
    id={id}
    width="6"
    height="6"
    patternUnits="userSpaceOnUse"
    patternTransform={series.pattern === 'hatched' || series.pattern === 'open' ? 'rotate(45)' : undefined}
  >
    <rect width="6" height="6" fill={series.pattern === 'open' ? '#f1f5f9' : series.color} />
    {series.pattern === 'open' && <rect width="2" height="6" fill={series.color} />}
    {series.pattern === 'hatched' && <rect width="1.5" height="6" fill="#fff" opacity="0.55" />}
    {series.pattern === 'barred' && <rect width="6" height="1.5" fill="#fff" opacity="0.55" />}
    {series.pattern === 'dotted' && <circle cx="3" cy="3" r="1.1" fill="#fff" opacity="0.8" />}
  </pattern>
)
