import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { measureCpuMs } from '../../../apps/server/test/cpu-time.ts'
import { FileRefusedError } from './curve-file-types.ts'
import { encodeFixture } from './fixtures.ts'
import { MAX_CURVE_FILE_BYTES, MAX_CURVE_FILE_ROWS, parseCurveFile } from './parse-curve-file.ts'

const text = (content: string) => encodeFixture(content)
const CASES: [string, () => Uint8Array, string][] = [
  ['an empty file', () => text(''), 'Ce fichier est vide.'],
  ['a PDF', () => text('%PDF-1.7\n…'), 'un document PDF'],
  ['a PNG', () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10), 'une image PNG'],
  ['a JPEG', () => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'une image JPEG'],
  ['an old workbook', () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), 'un ancien format (.xls)'],
  ['a gzip', () => gzipSync('Horodate;Valeur'), 'compressé (gzip)'],
  ['any other binary', () => Uint8Array.of(1, 2, 3, 0, 255, 7), 'son contenu est binaire'],
  ['UTF-32', () => Uint8Array.of(0xff, 0xfe, 0, 0, 0x48, 0, 0, 0), 'encodage est inconnu'],
  ['R151', () => text('<?xml version="1.0"?><R151><PRM/></R151>'), 'un flux R151 (index quotidiens'],
  ['R171', () => text('<ns2:R171 xmlns:ns2="http://www.enedis.fr/stm/R171"></ns2:R171>'), 'un flux R171'],
  ['R15', () => text('<R15></R15>'), 'un flux R15 (relevés de facturation)'],
  ['a SOAP answer', () => text('<soap:Envelope></soap:Envelope>'), 'une réponse SOAP'],
  ['a web page', () => text('<!DOCTYPE html><html></html>'), 'une page web'],
  ['another XML', () => text('<facture></facture>'), 'un XML de racine «\u00a0facture\u00a0»'],
  ['R64', () => text('{"header":{"codeFlux":"R64"}}'), 'un flux R64 (index) au format JSON'],
  ['R63 in JSON without measures', () => text('{"header":{"codeFlux":"R63"}}'), 'publication de mesures'],
  ['another CSV', () => text('Nom;Prénom\nDupont;Anne'), 'sa première ligne est «\u00a0Nom;Prénom\u00a0»'],
  ['a table without a point', () => text('Horodate;A;B\n2026-02-02 00:00;1;2'), 'Aucune colonne'],
  ['one column', () => text('Horodate\n2026-02-02 00:00'), 'qu’une colonne'],
  ['a header alone', () => text('Horodate;30001642617347\n'), 'aucune valeur lisible'],
  ['too many bytes', () => new Uint8Array(MAX_CURVE_FILE_BYTES + 1).fill(65), '65\u00a0Mo. Au plus 64\u00a0Mo'],
  ['too many rows', () => rows(MAX_CURVE_FILE_ROWS + 5), 'plus de 5\u202f000\u202f000 lignes'],
  ['a million columns', () => text(`Horodate;${'30001642617347;'.repeat(1_000_000)}`), 'au plus 10\u202f000 colonnes'],
  [
    'a million columns below a title',
    () => text(`Relevés 2026\n\nHorodate${';'.repeat(1_000_000)}\n2026-02-02 00:00${';1'.repeat(1_000_000)}\n`),
    'au plus 10\u202f000 colonnes',
  ],
  [
    'a million columns below a narrow header',
    () => text(`Horodate;30001642617347\n2026-02-02 00:00${';1'.repeat(1_900_000)}\n`),
    'démesurée',
  ],
  [
    'twelve thousand columns',
    () => text(`Horodate;${'30001642617347;'.repeat(12_000)}\n`),
    'Au plus 10\u202f000 sont lues',
  ],
  [
    'too many values',
    () => text(`Horodate;${'30001642617347;'.repeat(9_000)}\n${`${';'.repeat(9_000)}\n`.repeat(2_400)}`),
    'plus de 20\u202f000\u202f000 valeurs',
  ],
  ['one endless line', () => new Uint8Array(30_000_000).fill(65), 'démesurée'],
]

function rows(count: number): Uint8Array {
  const bytes = new Uint8Array(count * 4).fill(10)
  bytes.set(encodeFixture('Horodate;30001642617347\n'))
  return bytes
}

test.each(CASES)('refuses %s within two seconds of processor, in French', async (_, make, message) => {
  const bytes = make()
  const refusal: unknown[] = []
  const read = () => {
    try {
      parseCurveFile('fichier.csv', bytes)
    } catch (error) {
      refusal.push(error)
    }
  }
  // A neighbour's busy core makes the same work dearer: the lesser of two is its own cost.
  const effort = await measureCpuMs(read)
  expect(effort < 2000 ? effort : await measureCpuMs(read)).toBeLessThan(2000)
  for (const one of refusal) expect(one).toBeInstanceOf(FileRefusedError)
  expect(String(refusal[0])).toContain(message)
})
