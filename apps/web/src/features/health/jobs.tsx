import type { HealthJob } from '@voisol/contract/health'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Table } from '../../ui/table.tsx'
import { jobColumns } from './tables.tsx'

const isCalm = ({ late, failed, waiting }: HealthJob) => !late && failed === 0 && waiting === 0

/** What wants a look comes first; the many that rest are shown to whoever asks for them. */
export function Jobs({ jobs }: { jobs: HealthJob[] }) {
  const [all, setAll] = useState(false)
  const awake = jobs.filter((job) => !isCalm(job))
  const calm = jobs.filter(isCalm)
  const rows = (all ? [...awake, ...calm] : awake).map((job) => ({ ...job, id: job.name }))
  return (
    <Card title="Tâches" description="Ce qui tourne seul, et quand.">
      {rows.length > 0 ? (
        <Table label="Tâches" rows={rows} columns={jobColumns} />
      ) : (
        <p className="text-body">Toutes les tâches sont au repos{'\u00a0'}: rien n’est en retard ni abandonné.</p>
      )}
      {calm.length > 0 && (
        <Button variant="secondary" size="small" className="mt-4" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Masquer celles au repos' : `Voir ${plural(calm.length, 'tâche', 'tâches')} au repos`}
        </Button>
      )}
    </Card>
  )
}
