/** Says which Node the tests run on: three are promised, and a report that does not name one is worth little. */
export default function setup(): void {
  console.log(`Tests run on Node ${process.versions.node} (${process.platform}-${process.arch})`)
}
