import type { Endpoint, EndpointInput, EndpointReply } from '@voisol/contract/endpoint'
import { useEffect, useRef, useState } from 'react'
import { useReportForbiddenCall } from '../../lib/can.tsx'
import { formatNumber } from '../../lib/format.ts'
import { getErrorReason } from '../../lib/reason.ts'
import { uploadWithProgress } from './upload.ts'

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
