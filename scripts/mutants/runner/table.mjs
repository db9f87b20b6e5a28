import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

const FIELDS = ['file', 'find', 'replace', 'why', 'tests']

/** Every row of every table: a table is a file, and its name is the area of its rows. */
export const readTables = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const area = path.basename(name, '.json')
      return JSON.parse(readFileSync(path.join(folder, name), 'utf8')).map((row, at) => ({ area, at: at + 1, ...row }))
    })

/** Words with commas between them: each an area, or else a part of a file's path or of what the row says. */
export const isWanted = (only, areas = []) => {
  const hasWord = (row) => (word) =>
    areas.includes(word) ? row.area === word : [row.area, row.file, row.why].some((text) => text.includes(word))
  return (row) => !only || only.split(',').some(hasWord(row))
}

export const nameOf = ({ area, at, file }) => `${area} ${at} ${file}`

export const plant = (source, { find, replace }) => source.replace(find, () => replace)
export const lineOf = (source, { find }) => source.slice(0, source.indexOf(find)).split('\n').length

const parses = (file, source) => parseSync(path.basename(file), source).errors.length === 0

function* faultsOf(row, root) {
  const lacking = FIELDS.filter((field) => row[field] === undefined)
  if (lacking.length) return yield `il manque ${lacking.join(', ')}`
  if (!Array.isArray(row.tests) || !row.tests.length) yield 'aucun test nommé'
  else for (const test of row.tests) if (!existsSync(path.join(root, test))) yield `test introuvable\u00a0: ${test}`
  if (!existsSync(path.join(root, row.file))) return yield 'fichier introuvable'
  if (row.find === row.replace) return yield 'ne change rien'
  const source = readFileSync(path.join(root, row.file), 'utf8')
  const times = row.find ? source.split(row.find).length - 1 : 0
  if (times !== 1) yield `extrait trouvé ${times} fois\u00a0: ${row.find}`
  else if (!parses(row.file, plant(source, row))) yield `ne se lit pas\u00a0: ${row.replace}`
}

/** What is wrong with the rows, all of them, before any is planted. */
export const checkRows = (rows, root) =>
  rows.flatMap((row) => [...faultsOf(row, root)].map((fault) => `${nameOf(row)}\u00a0: ${fault}`))
