import { profile } from '@voisol/contract/profile'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

export function DataExport() {
  const [working, setWorking] = useState(false)
  const downloadData = async () => {
    setWorking(true)
    await download(profile.export, {}).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
    setWorking(false)
  }
  return (
    <Card
      title="Mes données"
      description="Tout ce que Voisol garde à votre sujet : compte, mesures, factures, paiements, accords et questions. Une archive de tableaux que tout tableur ouvre, et la même chose pour un programme."
    >
      <Button variant="secondary" icon={<Download aria-hidden="true" />} loading={working} onClick={downloadData}>
        Télécharger mes données
      </Button>
    </Card>
  )
}
