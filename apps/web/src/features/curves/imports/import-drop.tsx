import { curves } from '@voisol/contract/curves'
import { useEffect, useRef, useState } from 'react'
import { number } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { uploadCurves } from './upload.ts'

const MOST = curves.upload.upload

function useUpload(onStarted: (id: string) => void) {
  const [sending, setSending] = useState<{ name: string; done: number } | null>(null)
  const [problem, setProblem] = useState('')
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const send = async (file: File) => {
    setProblem('')
    if (file.size > MOST)
      return setProblem(`Ce fichier dépasse ${number(MOST / 2 ** 20)}\u00a0Mo\u00a0: partagez-le par période.`)
    const controller = new AbortController()
    running.current = controller
    setSending({ name: file.name, done: 0 })
    try {
      const { id } = await uploadCurves(file, controller.signal, (done) => setSending({ name: file.name, done }))
      onStarted(id)
    } catch (error) {
      if (!controller.signal.aborted) setProblem(reasonOf(error))
    } finally {
      setSending(null)
    }
  }
  return { send, sending, problem, stop: () => running.current?.abort() }
}

/** Any file of load curves; what it is will be found out. */
export function ImportDrop({ onStarted }: { onStarted: (id: string) => void }) {
  const { send, sending, problem, stop } = useUpload(onStarted)
  return (
    <Card
      title="Importer des courbes"
      description="Fichiers d’Enedis (R63, historique de mesures, flux R50 et R4x), exports de l’espace client, ou tableau d’une colonne par PRM. Rien n’est enregistré avant votre accord."
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <FileDrop
          accept=".csv,.txt,.xml,.xlsx,.zip"
          label="Choisir un fichier"
          hint={`ou déposez-le ici\u00a0: CSV, Excel, XML ou ZIP, jusqu’à ${number(MOST / 2 ** 20)}\u00a0Mo.`}
          disabled={sending !== null}
          onFile={send}
        />
        {sending && (
          <div className="flex items-end gap-4">
            <div className="min-w-0 grow">
              <Progress label={`Envoi de ${sending.name}`} done={sending.done} />
            </div>
            <Button variant="quiet" size="small" onClick={stop}>
              Arrêter l’envoi
            </Button>
          </div>
        )}
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
      </div>
    </Card>
  )
}
