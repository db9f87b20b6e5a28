import type { EnedisFault } from '@voisol/contract/enedis'
import { useState } from 'react'
import { FAULT_NATURE_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { findFaults } from './search.ts'

type FaultRow = EnedisFault & { id: string }

const columns: Column<FaultRow>[] = [
  {
    header: 'Code',
    cell: ({ code, status }) => (
      <span className="block min-w-32">
        <code className="font-medium break-words">{code}</code>
        {status !== null && <span className="block text-[0.8125rem] text-ink-soft">HTTP&nbsp;{status}</span>}
      </span>
    ),
  },
  {
    header: 'Nature',
    cell: ({ nature }) => <Badge tone={FAULT_NATURE_LABELS[nature].tone}>{FAULT_NATURE_LABELS[nature].label}</Badge>,
  },
  { header: 'Ce que cela veut dire', cell: ({ explanation }) => <span className="block min-w-56">{explanation}</span> },
  { header: 'Que faire', cell: ({ remedy }) => <span className="block min-w-56 text-ink-soft">{remedy}</span> },
]

/** The distributor's codes in plain French. */
export function FaultTable({ faults }: { faults: EnedisFault[] }) {
  const [search, setSearch] = useState('')
  const [nature, setNature] = useState<string>()
  const matchingFaults = findFaults(faults, search, nature)
  const natures = new Set<string>(faults.map((fault) => fault.nature))
  return (
    <section id="codes" className="grid scroll-mt-20 gap-3 [&>*]:min-w-0">
      <h2 className="text-lg font-semibold">Codes d’erreur</h2>
      <div data-print="hide" className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Rechercher un code ou un mot"
          value={search}
          onSearch={setSearch}
          className="w-full sm:w-72"
        />
        <FilterChips
          label="Nature"
          options={toChoices(FAULT_NATURE_LABELS).filter(({ value }) => natures.has(value))}
          value={nature}
          onChange={setNature}
        />
      </div>
      <p role="status" className="text-[0.8125rem] text-ink-soft">
        {matchingFaults.length === 0
          ? 'Aucun code ne correspond\u00a0: essayez un autre mot.'
          : formatCount(matchingFaults.length, 'code connu', 'codes connus')}
      </p>
      {matchingFaults.length > 0 && (
        <Table
          label="Codes d’erreur"
          rows={matchingFaults.map((fault) => ({ ...fault, id: fault.code }))}
          columns={columns}
        />
      )}
    </section>
  )
}
