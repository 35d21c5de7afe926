//! The server under test.

#[path = "../echo.rs"]
mod echo;
#[path = "../serve.rs"]
mod serve;

fn main() {
    serve::serve(echo::echo());
}
