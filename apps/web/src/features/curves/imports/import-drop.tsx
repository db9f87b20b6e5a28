import { curves } from '@voisol/contract/curves'
import { useRef } from 'react'
import { Card } from '../../../ui/card.tsx'
import { UploadDrop } from '../upload-drop.tsx'
import { useFileUpload } from '../use-upload.ts'

type Props = {
  /** A file alone opens at once. */
  onStarted: (id: string) => void
  /** One of several joins the others. */
  onAdded: (id: string) => void
}

/** Any files of load curves; what each is will be found out. */
export function ImportDrop({ onStarted, onAdded }: Props) {
  const several = useRef(false)
  const { send, ...state } = useFileUpload(curves.upload, ({ id }) => (several.current ? onAdded(id) : onStarted(id)))
  return (
    <Card
      title="Importer des courbes"
      description="Fichiers d’Enedis (R63, historique de mesures, flux R50 et R4x), exports de l’espace client ou d’un fournisseur (EDF…), ou tout tableau CSV ou Excel de dates et de valeurs. Rien n’est enregistré avant votre accord."
    >
      <UploadDrop
        {...state}
        several
        accept=".csv,.txt,.xml,.json,.xlsx"
        most={curves.upload.upload}
        kinds="CSV, Excel, XML ou JSON"
        onFiles={(files) => {
          several.current = files.length > 1
          void send(files, ({ name }) => ({ query: { name } }))
        }}
      />
    </Card>
  )
}
