import type { NamedSums } from '@voisol/contract/gateway'
import { Fragment, type ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { formatBytes, formatMilliseconds } from './words.ts'

const figureColumns: Column<NamedSums>[] = [
  { header: 'Appels', align: 'end', cell: ({ calls }) => formatNumber(calls) },
  { header: 'Erreurs', align: 'end', cell: ({ errors, failures }) => formatNumber(errors + failures) },
  { header: 'Bloqués', align: 'end', cell: ({ blocked }) => formatNumber(blocked) },
  { header: 'Médiane', align: 'end', cell: ({ p50 }) => formatMilliseconds(p50) },
  { header: 'p95', align: 'end', cell: ({ p95 }) => formatMilliseconds(p95) },
  { header: 'p99', align: 'end', cell: ({ p99 }) => formatMilliseconds(p99) },
  { header: 'Envoyé', align: 'end', card: 'none', cell: ({ bytesOut }) => formatBytes(bytesOut) },
]

type Props = {
  label: string
  /** What a row is: « Clé ». */
  of: string
  rows: NamedSums[]
  none: string
  code?: boolean
  rowActions?: (row: NamedSums) => ReactNode
}

/** An address breaks where its parts end, not inside a word. */
export const CallName = ({ of }: { of: string }) => (
  <code className="text-[0.8125rem] break-words">
    {of.split(/(?<=\/)/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have their place for a name
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </code>
)

/** Calls added up by something, the most called first. */
export function CallTotalsTable({ label, of, rows, none, code = false, rowActions }: Props) {
  if (rows.length === 0) return <p className="text-body text-ink-soft">{none}</p>
  const name: Column<NamedSums> = {
    header: of,
    card: 'title',
    cell: ({ label: words }) => (code ? <CallName of={words} /> : <span className="font-medium">{words}</span>),
  }
  return <Table label={label} rows={rows} columns={[name, ...figureColumns]} rowActions={rowActions} />
}
