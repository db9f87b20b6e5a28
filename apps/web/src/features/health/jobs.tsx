import type { HealthJob } from '@voisol/contract/health'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Table } from '../../ui/table.tsx'
import { healthJobColumns } from './tables.tsx'

const isIdleJob = ({ late, failed, waiting }: HealthJob) => !late && failed === 0 && waiting === 0

/** What wants a look comes first; the many that rest are shown to whoever asks for them. */
export function HealthJobs({ jobs }: { jobs: HealthJob[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const activeJobs = jobs.filter((job) => !isIdleJob(job))
  const idleJobs = jobs.filter(isIdleJob)
  const rows = (showsAll ? [...activeJobs, ...idleJobs] : activeJobs).map((job) => ({ ...job, id: job.name }))
  return (
    <Card title="Tâches" description="Ce qui tourne seul, et quand.">
      {rows.length > 0 ? (
        <Table label="Tâches" rows={rows} columns={healthJobColumns} />
      ) : (
        <p className="text-body">Toutes les tâches sont au repos{'\u00a0'}: rien n’est en retard ni abandonné.</p>
      )}
      {idleJobs.length > 0 && (
        <Button
          variant="secondary"
          size="small"
          className="mt-4"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Masquer celles au repos' : `Voir ${formatCount(idleJobs.length, 'tâche', 'tâches')} au repos`}
        </Button>
      )}
    </Card>
  )
}
