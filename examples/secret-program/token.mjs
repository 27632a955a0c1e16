// Stands for `gh auth token` and its like: a token on standard output, what went wrong on standard error.
const answer = await fetch(`${process.env.DEPOT}/token`);
const { token, message } = await answer.json();
if (token === undefined) {
  console.error(message);
  process.exitCode = 3;
} else console.log(token);
