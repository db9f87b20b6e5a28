import type { Endpoint, EndpointInput, EndpointReply } from '@voisol/contract/endpoint'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { Progress } from '../../../components/progress.tsx'
import { ApiError, buildEndpointUrl, buildIdempotencyHeader, getErrorReason } from '../../../lib/call.ts'
import { useReportForbiddenCall } from '../../../lib/can.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { buildAuthorizationHeaders } from '../../../lib/storage.ts'

type UploadDropProps = Pick<ReturnType<typeof useFileUpload>, 'sending' | 'problems' | 'stop'> & {
  accept?: string
  /** The most a file may weigh, in bytes. */
  most: number
  kinds: string
  several?: boolean
  onFiles: (files: File[]) => void
}

/** A place to drop files, how far they are, and why one was not taken. */
export const UploadDrop = ({ accept, most, kinds, several, onFiles, sending, problems, stop }: UploadDropProps) => (
  <div className="grid gap-4 [&>*]:min-w-0">
    <FileDrop
      accept={accept}
      label={several ? 'Choisir des fichiers' : 'Choisir un fichier'}
      hint={`ou déposez-${several ? 'les' : 'le'} ici\u00a0: ${kinds}, jusqu’à ${formatNumber(most / 2 ** 20)}\u00a0Mo${several ? ' chacun' : ''}.`}
      disabled={sending !== null}
      {...(several ? { onFiles } : { onFile: (file: File) => onFiles([file]) })}
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
    {problems.length > 0 && (
      <div role="alert" className="grid gap-1 text-body text-danger">
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    )}
  </div>
)

type UploadEndpoint = Endpoint & { upload: number }
const formatMegabytes = (bytes: number) => formatNumber(Math.round(bytes / 2 ** 20))

/** Files one after the other, each as far as it is; what is refused is said, and the others go on. */
export function useFileUpload<E extends UploadEndpoint>(e: E, onReply: (reply: EndpointReply<E>) => void) {
  useReportForbiddenCall(e)
  const [sending, setSending] = useState<{ name: string; done: number } | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const addProblem = (problem: string) => setProblems((old) => [...old, problem])

  const sendOne = async (file: File, name: string, input: Omit<EndpointInput<E>, 'upload'>, signal: AbortSignal) => {
    if (file.size > e.upload)
      return addProblem(`${name}dépasse ${formatMegabytes(e.upload)}\u00a0Mo\u00a0: partagez-le par période.`)
    setSending({ name: file.name, done: 0 })
    try {
      const onProgress = (done: number) => setSending({ name: file.name, done })
      onReply(await uploadWithProgress(e, input, { file, signal, onProgress }))
    } catch (error) {
      if (!signal.aborted)
        addProblem(name.startsWith('«') ? `${name}\u00a0: ${getErrorReason(error)}` : getErrorReason(error))
    }
  }
  const send = async (files: File[], inputOf: (file: File) => Omit<EndpointInput<E>, 'upload'>) => {
    setProblems([])
    const controller = new AbortController()
    running.current = controller
    for (const file of files) {
      const name = files.length > 1 ? `«\u00a0${file.name}\u00a0» ` : 'Ce fichier '
      if (!controller.signal.aborted) await sendOne(file, name, inputOf(file), controller.signal)
    }
    setSending(null)
  }
  return { send, sending, problems, stop: () => running.current?.abort() }
}

type UploadOptions = { file: File; signal: AbortSignal; onProgress: (done: number) => void }

/** Sends a file and says how far it is, 0 to 1: `fetch` does not tell. */
function uploadWithProgress<E extends Endpoint>(e: E, input: Omit<EndpointInput<E>, 'upload'>, sending: UploadOptions) {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<EndpointReply<E>>()
  request.open(e.method, buildEndpointUrl(e, input))
  const headers = {
    ...buildAuthorizationHeaders(),
    'content-type': 'application/octet-stream',
    ...buildIdempotencyHeader(e),
  }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => sending.onProgress(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new TypeError('network'))
  request.onload = () => {
    if (request.status < 200 || request.status > 299) return reject(new ApiError(request.status, request.responseText))
    try {
      if (!(e.response instanceof z.ZodType)) throw new Error(`${e.path} answers with a file`)
      resolve(e.response.parse(JSON.parse(request.responseText)) as EndpointReply<E>) // parsed by e's own schema
    } catch (error) {
      reject(error)
    }
  }
  sending.signal.addEventListener('abort', () => {
    request.abort()
    reject(new DOMException('', 'AbortError'))
  })
  request.send(sending.file)
  return promise
}
