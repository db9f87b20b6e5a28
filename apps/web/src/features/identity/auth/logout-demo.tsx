import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Table } from '../../../components/table.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { LOGOUT_STEPS, playOverlayDemo } from '../../../lib/logout-overlay.ts'
import { useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

const STEP_LABELS = {
  'logging-out': 'Déconnexion en cours',
  success: 'Déconnexion réussie',
  redirecting: 'Redirection',
}
const stepRows = LOGOUT_STEPS.map((row) => ({ ...row, id: row.step }))

export default function LogoutDemo() {
  const { firstName, email } = useUser()
  const [greeting, setGreeting] = useState(true)
  const play = () => {
    toast({ title: 'Déconnexion...', duration: 2000 })
    playOverlayDemo(greeting ? firstName || email : undefined)
  }
  return (
    <>
      <PageHeader
        title="Animation de déconnexion"
        description="Rejoue l’écran de déconnexion tel que chacun le voit, sans fermer votre session."
        actions={
          <Button icon={<Play aria-hidden="true" />} onClick={play}>
            Jouer l’animation
          </Button>
        }
      />
      <div className="grid items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Card title="Réglage">
          <Checkbox
            label="Saluer par le prénom"
            hint="La première étape se termine par «&nbsp;À bientôt&nbsp;» et le prénom."
            checked={greeting}
            onChange={(event) => setGreeting(event.target.checked)}
          />
        </Card>
        <Table
          label="Étapes de l’animation"
          rows={stepRows}
          columns={[
            { header: 'Étape', cell: ({ step }) => STEP_LABELS[step] },
            { header: 'Durée', align: 'end', cell: ({ lasts }) => `${formatNumber(lasts / 1000, 1)}\u00a0s` },
            { header: 'Progression', align: 'end', cell: ({ percent }) => `${percent}\u00a0%` },
          ]}
        />
      </div>
    </>
  )
}
