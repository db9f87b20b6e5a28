import type { Endpoint, Input, Reply } from '@voisol/contract/endpoint'
import { useEffect, useRef, useState } from 'react'
import { useExpectAllowed } from '../../lib/can.tsx'
import { number } from '../../lib/format.ts'
import { reasonOf } from '../../lib/reason.ts'
import { sendFile } from './upload.ts'

type Upload = Endpoint & { upload: number }
const mega = (bytes: number) => number(Math.round(bytes / 2 ** 20))

/** Files one after the other, each as far as it is; what is refused is said, and the others go on. */
export function useUpload<E extends Upload>(e: E, onReply: (reply: Reply<E>) => void) {
  useExpectAllowed(e)
  const [sending, setSending] = useState<{ name: string; done: number } | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const complain = (problem: string) => setProblems((old) => [...old, problem])

  const sendOne = async (file: File, name: string, input: Omit<Input<E>, 'upload'>, signal: AbortSignal) => {
    if (file.size > e.upload)
      return complain(`${name}dépasse ${mega(e.upload)}\u00a0Mo\u00a0: partagez-le par période.`)
    setSending({ name: file.name, done: 0 })
    try {
      const onProgress = (done: number) => setSending({ name: file.name, done })
      onReply(await sendFile(e, input, { file, signal, onProgress }))
    } catch (error) {
      if (!signal.aborted) complain(name.startsWith('«') ? `${name}\u00a0: ${reasonOf(error)}` : reasonOf(error))
    }
  }
  const send = async (files: File[], inputOf: (file: File) => Omit<Input<E>, 'upload'>) => {
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
