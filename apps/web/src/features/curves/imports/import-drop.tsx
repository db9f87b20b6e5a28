import { curves } from '@voisol/contract/curves'
import { Card } from '../../../ui/card.tsx'
import { UploadDrop } from '../upload-drop.tsx'
import { useUpload } from '../use-upload.ts'

/** Any file of load curves; what it is will be found out. */
export function ImportDrop({ onStarted }: { onStarted: (id: string) => void }) {
  const { send, ...state } = useUpload(curves.upload, ({ id }) => onStarted(id))
  return (
    <Card
      title="Importer des courbes"
      description="Fichiers d’Enedis (R63, historique de mesures, flux R50 et R4x), exports de l’espace client ou d’un fournisseur (EDF…), ou tout tableau CSV ou Excel de dates et de valeurs. Rien n’est enregistré avant votre accord."
    >
      <UploadDrop
        {...state}
        accept=".csv,.txt,.xml,.json,.xlsx"
        most={curves.upload.upload}
        kinds="CSV, Excel, XML ou JSON"
        onFiles={(files) => send(files, ({ name }) => ({ query: { name } }))}
      />
    </Card>
  )
}
