import { backups } from '@voisol/contract/backups'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { askForCopy, askToTake, contentOf, listCompanyCopies, nameOf, removeCompanyCopy } from './company-copies.ts'
import { CopyFault } from './fault.ts'
import { previewRetention, readInstallation } from './installation.ts'
import { contentKey, keyOf, listCopies, placeOf } from './place.ts'
import { saveSchedule } from './schedule.ts'

const DONE = { success: true as const }

/** One at a time of each kind. */
async function begin(work: () => Promise<boolean>) {
  if (!(await work()))
    throw new AppError('in-progress', { message: 'Ce travail est déjà en cours\u00a0: attendez qu’il s’achève.' })
  return DONE
}

export function backupRoutes(app: FastifyInstance) {
  const { deps } = app
  const requireKey = () => {
    try {
      keyOf(deps.config)
    } catch (error) {
      throw error instanceof CopyFault ? new AppError('conflict', { message: error.message }) : error
    }
  }
  const requireCopy = async (name: string) => {
    const found = (await listCopies(placeOf(deps.config))).some(({ manifest }) => manifest.name === name)
    if (!found) throw new AppError('not-found')
  }

  route(app, backups.installation, (_, { db }) => readInstallation(db, deps))
  route(app, backups.preview, ({ query }) => previewRetention(deps, query))

  route(app, backups.start, async (_, { db, actor }) => {
    requireKey()
    return begin(() => enqueue(db, 'copies.make', { askedBy: nameOf(actor) }, { once: 'copy' }))
  })

  route(app, backups.verify, async ({ params: { name } }, { db, actor, note }) => {
    await requireCopy(name)
    note({ target: name })
    return begin(() => enqueue(db, 'copies.verify', { askedBy: nameOf(actor), name }, { once: name }))
  })

  route(app, backups.drill, async ({ params: { name } }, { db, actor, note }) => {
    requireKey()
    await requireCopy(name)
    note({ target: name })
    return begin(() => enqueue(db, 'copies.drill', { askedBy: nameOf(actor), name }, { once: 'drill' }))
  })

  route(app, backups.content, async ({ params: { name } }) => {
    await requireCopy(name)
    const content = await placeOf(deps.config).stream(contentKey(name))
    if (!content) throw new AppError('not-found')
    return { name: `${name}.voisol`, content }
  })

  route(app, backups.saveSchedule, async ({ body }, { db, note }) => {
    const { before, after } = await saveSchedule(db, body)
    note({ target: 'Copies de l’installation', detail: { before, after } })
    return after
  })

  route(app, backups.list, (_, { db, actor }) => listCompanyCopies(db, actor))
  route(app, backups.file, ({ params }, { db, actor }) => contentOf(db, deps, actor, params.id))

  route(app, backups.make, async (_, { db, actor, note }) => {
    const made = await askForCopy(db, actor)
    note({ target: made.name })
    return made
  })

  route(app, backups.remove, async ({ params }, { db, actor, note }) => {
    note({ target: await removeCompanyCopy(db, deps, actor, params.id) })
    return DONE
  })

  route(app, backups.take, async ({ query, upload }, { db, actor, note }) => {
    const taken = await askToTake(db, deps, actor, query.name, upload)
    note({ target: query.name, detail: { bytes: upload.byteLength } })
    return taken
  })
}
